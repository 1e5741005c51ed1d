-- Minutes after which an acknowledged page of high urgency notifies again; 0: never. Pages that were acknowledged before
-- have no time to be reminded at, and are left alone.
alter table schedules add column acknowledge_timeout_minutes integer not null default 30;
