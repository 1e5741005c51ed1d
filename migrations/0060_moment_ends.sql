-- Ends that senders told of before, or without, what had begun: a firing that comes late is not to open what is over.
-- Rows are removed by a duty after 48 hours.
create table moment_ends (
  webhook_id text collate "C" not null references webhooks on delete cascade,
  dedup_key text not null,
  -- The sender's time of the end.
  ended_at timestamptz not null,
  noted_at timestamptz not null,
  primary key (webhook_id, dedup_key)
);
create index moment_ends_age on moment_ends (noted_at);
