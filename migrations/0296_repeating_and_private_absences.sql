-- An absence that repeats: a rule of RFC 5545 without an end, on whose dates it has the local times of its first time. Its
-- records follow it as they follow a calendar. `content` has the same as iCalendar text, for nodes of older releases. What
-- accepts a rule bounds its texts and the number of removed times.
alter table availability_sources
  add column recurrence text,
  add column zone text,
  add column first_starts_at timestamptz,
  add column first_ends_at timestamptz,
  -- The last time begins before this; null: until somebody ends it.
  add column repeats_until timestamptz,
  -- The name of its records; may be empty.
  add column label text,
  -- Starts of single times that were removed, in ISO 8601 and UTC.
  add column skipped text[] not null default '{}',
  -- Whether its records are private.
  add column private boolean not null default false;

-- A private record shows its name to nobody but its person; everybody else sees “Away”.
alter table availabilities add column private boolean not null default false;
