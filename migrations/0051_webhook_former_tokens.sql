-- Tokens that a rotated webhook had before: calls to the old URL are taken until a date, so that a tool can move.
create table webhook_former_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  organization_id text collate "C" not null,
  webhook_id text collate "C" not null,
  ends_at timestamptz not null,
  last_used_at timestamptz,
  created_at timestamptz not null,
  foreign key (organization_id, webhook_id) references webhooks (organization_id, id) on delete cascade
);
create index webhook_former_tokens_webhook on webhook_former_tokens (webhook_id);
create index webhooks_newest on webhooks (organization_id, id desc) where revoked_at is null;
