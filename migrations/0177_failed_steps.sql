-- while the service runs
-- Steps that could not be run are looked for between any two rounds of work: however many others wait, that reads none of
-- them. None is written here before it fails.
create index concurrently if not exists page_steps_failed on page_steps (due_at, id) where state = 'due' and attempts > 0;
