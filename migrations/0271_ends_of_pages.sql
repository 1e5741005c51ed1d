-- The sender's time of the event that resolved a page: an older trigger that arrives later, because its sender had to retry it,
-- must not raise another page.
alter table pages add column ended_event_at timestamptz;
