-- Answers to pages that came in from a provider, by the provider's own id of each, and what was replied (JSON, to the byte):
-- a repeat does nothing and gets that reply.
create table inbound_answers (
  id bytea primary key check (length(id) = 32),
  reply text,
  answered_at timestamptz not null
);
create index inbound_answers_age on inbound_answers (answered_at);
