-- Maintenance windows and silences: times in which what page sources report is held, or only recorded. Starts of a row with
-- a recurrence are those of its occurrence now or next.
create table maintenance_windows (
  id text primary key check (id like 'window\_%'),
  organization_id text not null,
  team_id text not null,
  -- Null: all sources of the team.
  source_id text,
  name text not null check (length(name) between 1 and 200),
  effect text not null check (effect in ('hold', 'record')),
  silence boolean not null,
  match text[] not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  first_starts_at timestamptz not null,
  first_ends_at timestamptz not null,
  recurrence text,
  zone text,
  repeats_until timestamptz,
  created_by text,
  created_at timestamptz not null,
  -- Null while it may hold something. `ended_by`: the person who ended it early.
  over_at timestamptz,
  ended_by text,
  unique (organization_id, id),
  check (ends_at > starts_at and first_ends_at > first_starts_at),
  check ((recurrence is null) = (zone is null) and (repeats_until is null or recurrence is not null)),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  foreign key (organization_id, source_id) references webhooks (organization_id, id) on delete cascade,
  foreign key (organization_id, created_by) references users (organization_id, id) on delete set null (created_by),
  foreign key (organization_id, ended_by) references users (organization_id, id) on delete set null (ended_by)
);
create index maintenance_windows_current on maintenance_windows (organization_id, starts_at) where over_at is null;
create index maintenance_windows_ends on maintenance_windows (ends_at) where over_at is null;
-- Names of silences may repeat.
create unique index maintenance_windows_name on maintenance_windows (team_id, lower(name)) where over_at is null and not silence;
create index maintenance_windows_team on maintenance_windows (organization_id, team_id, id desc);
create index maintenance_windows_source on maintenance_windows (organization_id, source_id) where source_id is not null;

-- What a window held or only recorded: one row for each thing that a source reported in one occurrence.
create table window_events (
  window_id text not null,
  organization_id text not null,
  starts_at timestamptz not null,
  source_id text not null,
  -- The dedup key, or the title of an event without one.
  subject text not null,
  title text not null,
  events integer not null check (events > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (window_id, starts_at, source_id, subject),
  foreign key (organization_id, window_id) references maintenance_windows (organization_id, id) on delete cascade,
  foreign key (organization_id, source_id) references webhooks (organization_id, id) on delete cascade
);
create index window_events_last on window_events (last_at);
create index window_events_source on window_events (organization_id, source_id);
