-- How often an unanswered page runs through all stages of a schedule before it expires. The API keeps it from 1 to 10.
alter table schedules add column rounds integer not null default 3;
