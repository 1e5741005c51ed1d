-- How the dashboard shows a person times of day: by a clock of 12 hours or of 24. Null: as the person's browser does.
alter table users add column twelve_hour_clock boolean;
