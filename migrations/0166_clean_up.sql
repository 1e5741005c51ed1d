-- while the service runs
-- formerly 0fde5de7e8b3118c37623f96f6ae86bbd46031272446f2a123ebbf12d3db1d17
-- Overrides are removed when they are over, and with each PostgreSQL looks for the shifts that name it.
create index concurrently if not exists shifts_of_override on shifts (override_id) where override_id is not null;
