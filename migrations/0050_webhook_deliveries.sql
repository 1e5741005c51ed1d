-- Deliveries that held events, by the number that their sender gave them: the same number within 48 hours is a
-- repetition. Rows are removed by a duty soon afterwards.
create table webhook_deliveries (
  webhook_id text collate "C" not null references webhooks on delete cascade,
  -- As the sender says it; the hash of it where it is long.
  delivery_id text collate "C" not null check (length(delivery_id) between 1 and 255),
  -- The notification that had it first. It may be forgotten before.
  notification_id text collate "C" not null,
  received_at timestamptz not null,
  primary key (webhook_id, delivery_id)
);
create index webhook_deliveries_age on webhook_deliveries (received_at);
