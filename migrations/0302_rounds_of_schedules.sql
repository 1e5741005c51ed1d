-- How often an unanswered page runs through all stages of a schedule before it expires.
alter table schedules add column rounds integer not null default 3;
alter table schedules add constraint schedules_rounds_check check (rounds between 1 and 10) not valid;
