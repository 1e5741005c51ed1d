-- Filters of a list of the dashboard, which a team saved under a name.
create table saved_views (
  id text primary key check (id like 'saved\_view\_%'),
  organization_id text not null,
  team_id text not null,
  list text not null check (list in ('pages', 'moments')),
  name text not null check (length(name) between 1 and 80),
  -- The filters as they stand in the address of the list.
  query text not null check (length(query) <= 2000),
  created_by text,
  created_at timestamptz not null,
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  foreign key (organization_id, created_by) references users (organization_id, id) on delete set null (created_by)
);
create unique index saved_views_name on saved_views (team_id, list, lower(name));
create index saved_views_team on saved_views (organization_id, team_id);
create index saved_views_creator on saved_views (organization_id, created_by);
