-- Minutes after which an acknowledged page of medium or low urgency notifies again; 0: never, which is how it was.
alter table schedules add column ask_again_medium_minutes integer not null default 0;
alter table schedules add column ask_again_low_minutes integer not null default 0;
