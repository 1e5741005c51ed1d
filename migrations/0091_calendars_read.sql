-- When a calendar was read as a whole last. An unchanged one still has to be read anew now and then: events that repeat
-- reach further ahead every day.
alter table availability_sources add column read_at timestamptz;
