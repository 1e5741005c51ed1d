-- A shift, or a part of one, for which somebody else is looked for: because of an absence, or because it was asked for.
-- Who takes it is written as an override, so that what was planned stays where it was.
create table covers (
  id text primary key check (id like 'cover\_%'),
  organization_id text not null,
  schedule_id text not null,
  stage numeric not null,
  seat integer not null check (seat >= 1),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Who loses it.
  user_id text not null,
  cause text not null check (cause in ('absence', 'asked')),
  -- The absence; null where it was asked for, or once the record is gone.
  availability_id text references availabilities (id) on delete set null,
  -- Who asked; null for an absence.
  asked_by text,
  note text not null default '' check (length(note) <= 1000),
  state text not null check (state in ('open', 'proposed', 'taken', 'applied', 'withdrawn', 'expired')),
  -- The smallest repair: {moves: [{stage, seat, from, to, loses, gains}], proven, asked_by}.
  proposal jsonb,
  -- Who was asked and said no.
  declined_by text[] not null default '{}',
  -- Who has it now.
  taken_by text,
  -- Who decided: a person, or nobody where the schedule applies covers by itself.
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (ends_at > starts_at),
  check ((state = 'proposed') <= (proposal is not null)),
  foreign key (organization_id, schedule_id) references schedules (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, asked_by) references users (organization_id, id) on delete set null (asked_by),
  foreign key (organization_id, taken_by) references users (organization_id, id) on delete set null (taken_by),
  foreign key (organization_id, decided_by) references users (organization_id, id) on delete set null (decided_by),
  -- Nobody is looked for twice at a time.
  constraint covers_do_not_overlap exclude using gist (
    schedule_id with =, stage with =, seat with =, tstzrange(starts_at, ends_at) with &&
  ) where (state in ('open', 'proposed'))
);
create index covers_of_schedule on covers (schedule_id, ends_at);
create index covers_waiting on covers (organization_id, starts_at) where state in ('open', 'proposed');
create index covers_of_absence on covers (availability_id) where availability_id is not null;

-- Two people give each other a shift, or a part of one, as soon as the second agrees.
create table swaps (
  id text primary key check (id like 'swap\_%'),
  organization_id text not null,
  asked_by text not null,
  -- Whose the other shift is, and who decides.
  asked_of text not null,
  note text not null default '' check (length(note) <= 1000),
  state text not null check (state in ('proposed', 'accepted', 'declined', 'withdrawn', 'expired')),
  given_schedule_id text not null,
  given_stage numeric not null,
  given_seat integer not null,
  given_starts_at timestamptz not null,
  given_ends_at timestamptz not null check (given_ends_at > given_starts_at),
  -- Whose the first shift is; somebody may ask for another.
  given_by text not null,
  wanted_schedule_id text not null,
  wanted_stage numeric not null,
  wanted_seat integer not null,
  wanted_starts_at timestamptz not null,
  wanted_ends_at timestamptz not null check (wanted_ends_at > wanted_starts_at),
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (organization_id, given_schedule_id) references schedules (organization_id, id) on delete cascade,
  foreign key (organization_id, wanted_schedule_id) references schedules (organization_id, id) on delete cascade,
  foreign key (organization_id, asked_by) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, given_by) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, asked_of) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, decided_by) references users (organization_id, id) on delete set null (decided_by)
);
create index swaps_of_person on swaps (asked_of, state);
create index swaps_of_asker on swaps (asked_by, state);

alter table overrides
  -- The seat that it takes; null takes the one that its person was planned for, else the first.
  add column seat integer check (seat >= 1),
  -- Where it comes from: what the operator's file says belongs to the file, the rest to people.
  add column origin text not null default 'file' check (origin in ('file', 'hand', 'cover', 'swap', 'hand_over')),
  add column cover_id text references covers (id) on delete set null,
  add column swap_id text references swaps (id) on delete set null,
  drop constraint overrides_schedule_id_stage_user_id_starts_at_ends_at_key;
create unique index overrides_once on overrides (schedule_id, stage, seat, user_id, starts_at, ends_at) nulls not distinct;
create index overrides_of_cover on overrides (cover_id) where cover_id is not null;
create index overrides_of_swap on overrides (swap_id) where swap_id is not null;

-- What has to be compared with the covers that are there: written by whatever changes records or shifts, in the same
-- transaction, read by a duty. Without a key, so that two transactions never wait for each other here.
create table cover_checks (
  id bigint generated always as identity primary key,
  user_id text,
  schedule_id text,
  check (num_nonnulls(user_id, schedule_id) = 1)
);

create function check_covers_of_people() returns trigger language plpgsql as $$
begin
  insert into cover_checks (user_id)
  select distinct user_id from changed where type = 'hard_unavailable';
  return null;
end $$;
create function check_covers_of_moved_people() returns trigger language plpgsql as $$
begin
  insert into cover_checks (user_id)
  select user_id from changed where type = 'hard_unavailable'
  union select user_id from former where type = 'hard_unavailable';
  return null;
end $$;
create trigger availabilities_added after insert on availabilities
  referencing new table as changed for each statement execute function check_covers_of_people();
create trigger availabilities_removed after delete on availabilities
  referencing old table as changed for each statement execute function check_covers_of_people();
create trigger availabilities_moved after update on availabilities
  referencing old table as former new table as changed for each statement
  execute function check_covers_of_moved_people();

create function check_covers_of_schedules() returns trigger language plpgsql as $$
begin
  insert into cover_checks (schedule_id) select distinct schedule_id from changed;
  return null;
end $$;
create trigger shifts_added after insert on shifts
  referencing new table as changed for each statement execute function check_covers_of_schedules();
create trigger shifts_moved after update on shifts
  referencing new table as changed for each statement execute function check_covers_of_schedules();
create trigger shifts_removed after delete on shifts
  referencing old table as changed for each statement execute function check_covers_of_schedules();

create function check_covers_of_schedule() returns trigger language plpgsql as $$
begin
  insert into cover_checks (schedule_id) values (new.id);
  return null;
end $$;
create trigger schedules_cover_otherwise after update of cover, enabled on schedules
  for each row when (old.cover <> new.cover or old.enabled <> new.enabled)
  execute function check_covers_of_schedule();

-- Absences that lie over published shifts already.
insert into cover_checks (schedule_id) select id from schedules;
