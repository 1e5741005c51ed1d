-- while the service runs
-- Those that wait to be handled are few, however many expired before them.
create index concurrently if not exists pages_unanswered on pages (organization_id, expired_at) where state = 'expired';
