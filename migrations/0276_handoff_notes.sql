-- A hand-off of a schedule to other people: what the people wrote for it, and what the note listed at that time.
create table handoff_notes (
  id text primary key check (id like 'handoff\_%'),
  organization_id text not null,
  schedule_id text not null,
  at timestamptz not null,
  -- The pages and changes that it lists happened since then.
  since timestamptz not null check (since < at),
  changes jsonb not null,
  text text not null default '' check (length(text) <= 10000),
  written_by text,
  facts jsonb not null,
  created_at timestamptz not null,
  unique (schedule_id, at),
  foreign key (organization_id, schedule_id) references schedules (organization_id, id) on delete cascade,
  foreign key (organization_id, written_by) references users (organization_id, id) on delete set null (written_by)
);
create index handoff_notes_schedule on handoff_notes (organization_id, schedule_id);
create index handoff_notes_writer on handoff_notes (organization_id, written_by);
create index handoff_notes_created on handoff_notes (created_at);

-- What people write for the next hand-off of a schedule until it comes.
create table handoff_drafts (
  schedule_id text primary key,
  organization_id text not null,
  text text not null check (length(text) <= 10000),
  revision integer not null,
  written_by text,
  written_at timestamptz not null,
  foreign key (organization_id, schedule_id) references schedules (organization_id, id) on delete cascade,
  foreign key (organization_id, written_by) references users (organization_id, id) on delete set null (written_by)
);
create index handoff_drafts_schedule on handoff_drafts (organization_id, schedule_id);
create index handoff_drafts_writer on handoff_drafts (organization_id, written_by);
