-- while the service runs
-- Acknowledged pages whose time is over are looked for several times a second.
create index concurrently if not exists pages_to_remind on pages (remind_at) where state = 'acknowledged' and remind_at is not null;
