-- Which copies of the data were worked with, and since when. Each promotion of a standby begins another timeline: what the former
-- primary did last may be missing from it.
create table database_timelines (
  system text not null,
  timeline integer not null,
  seen_at timestamptz not null,
  primary key (system, timeline)
);

-- Whether a step may have been run before, on a server that failed over: what it sends is marked as a possible repeat.
alter table page_steps add column may_repeat boolean not null default false;
