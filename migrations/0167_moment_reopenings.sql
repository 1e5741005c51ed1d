-- What the row of a moment tells no more once a person has reopened it: who had resolved it, and when.
create table moment_reopenings (
  id bigint generated always as identity primary key,
  organization_id text collate "C" not null,
  moment_id text collate "C" not null,
  resolved_at timestamptz not null,
  -- Null: its sender said so, or somebody who left.
  resolved_by text collate "C",
  reopened_at timestamptz not null,
  reopened_by text collate "C",
  foreign key (organization_id, moment_id) references moments (organization_id, id) on delete cascade,
  foreign key (organization_id, resolved_by) references users (organization_id, id) on delete set null (resolved_by),
  foreign key (organization_id, reopened_by) references users (organization_id, id) on delete set null (reopened_by)
);
create index moment_reopenings_moment on moment_reopenings (moment_id, id);
