-- Public holidays: a list from a file or an address, of the organization or of one schedule. A schedule with lists of
-- its own does not follow those of the organization.
create table holiday_calendars (
  id text primary key check (id like 'holiday\_calendar\_%'),
  organization_id text not null references organizations (id) on delete cascade,
  schedule_id text,
  name text not null check (length(name) between 1 and 200),
  -- Null: a list that somebody pasted or uploaded.
  url text check (length(url) <= 2048),
  -- What the address answered last, so that it need not send the same again.
  etag text,
  checked_at timestamptz,
  next_check_at timestamptz,
  failures integer not null default 0 check (failures >= 0),
  error text,
  created_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (organization_id, schedule_id) references schedules (organization_id, id) on delete cascade,
  foreign key (organization_id, created_by) references users (organization_id, id) on delete set null (created_by)
);
create index holiday_calendars_of_organization on holiday_calendars (organization_id, schedule_id);
create index holiday_calendars_due on holiday_calendars (next_check_at) where next_check_at is not null;

create table holidays (
  calendar_id text not null references holiday_calendars (id) on delete cascade,
  -- A day on the schedule's wall, whatever its zone.
  date date not null,
  name text not null check (length(name) <= 200),
  primary key (calendar_id, date)
);

alter table schedules
  -- Holidays weigh more than other days, or nobody is on call on them.
  add column holiday_use text not null default 'weight' check (holiday_use in ('weight', 'uncovered')),
  -- Something that the plan depends on has changed since, and nobody has planned it anew.
  add column replan_since timestamptz;
create index schedules_to_replan on schedules (replan_since) where replan_since is not null;

-- Several patterns in one stage, each with its people, hours and zone; null: the schedule's pattern alone.
alter table schedule_stages
  add column layers jsonb,
  -- With whom each layer was planned.
  add column planned_layers jsonb;

-- Calendars that programs subscribe to, at an address that is the only secret. The token is kept as a hash for finding
-- it and sealed for showing it again.
create table calendar_feeds (
  id text primary key check (id like 'calendar\_feed\_%'),
  organization_id text not null references organizations (id) on delete cascade,
  -- Whose feed it is; it ends with them.
  user_id text not null,
  kind text not null check (kind in ('person', 'team', 'schedule')),
  team_id text,
  schedule_id text,
  token_hash bytea not null unique check (length(token_hash) = 32),
  token_sealed bytea not null,
  created_at timestamptz not null,
  rotated_at timestamptz,
  last_used_at timestamptz,
  check ((kind = 'team') = (team_id is not null)),
  check ((kind = 'schedule') = (schedule_id is not null)),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  foreign key (organization_id, schedule_id) references schedules (organization_id, id) on delete cascade
);
create unique index calendar_feeds_once
  on calendar_feeds (user_id, kind, coalesce(team_id, ''), coalesce(schedule_id, ''));

-- Absences that follow a calendar elsewhere.
create table availability_sources (
  id text primary key check (id like 'availability\_source\_%'),
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null,
  name text not null check (length(name) between 1 and 200),
  -- Private addresses of calendars are secrets. Null: a file, kept in `content`.
  url_sealed bytea,
  host text,
  content text,
  type text not null check (type in ('hard_unavailable', 'soft_unavailable')),
  -- Which events count: all, those not shown as free, or those with one of the words in their title.
  events text not null check (events in ('all', 'busy', 'words')),
  words text[] not null default '{}',
  etag text,
  checked_at timestamptz,
  succeeded_at timestamptz,
  next_check_at timestamptz not null,
  failures integer not null default 0 check (failures >= 0),
  error text,
  -- More than is taken from one calendar.
  truncated boolean not null default false,
  created_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((url_sealed is null) = (host is null)),
  check ((url_sealed is null) = (content is not null)),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, created_by) references users (organization_id, id) on delete set null (created_by)
);
create index availability_sources_of_user on availability_sources (organization_id, user_id);
create index availability_sources_due on availability_sources (next_check_at);

-- Which record stands for which event; one event may repeat.
create table availability_source_records (
  source_id text not null references availability_sources (id) on delete cascade,
  event text not null check (length(event) <= 1000),
  availability_id text not null references availabilities (id) on delete cascade,
  primary key (source_id, event)
);
create index availability_source_records_by_record on availability_source_records (availability_id);
