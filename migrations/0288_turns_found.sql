-- while the service runs: finds whose rows wait, and the oldest of each, without reading the rows of a storm. Until they are
-- built, rows are claimed in the order of their age.
create index concurrently if not exists page_steps_in_turn on page_steps (organization_id, turn_of, turn_rank, due_at, id) where state = 'due';
create index concurrently if not exists deliveries_in_turn on deliveries (organization_id, turn_of, turn_rank, due_at, id) where state in ('waiting', 'retrying');
create index concurrently if not exists received_notifications_in_turn on received_notifications (pages, organization_id, webhook_id, due_at, id) where state = 'queued';
