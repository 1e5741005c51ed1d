-- What people do with moments: acknowledge, resolve, comment, link to pages, and find them again.
alter table moments
  add column acknowledged_by text collate "C",
  add column resolved_by text collate "C",
  -- Words of the moment, those inside of names such as db-1.example.com:9100 as well; and its type, priority and source
  -- as one word each that no text has the beginning of. Rare ones are found by the index, common ones by reading the
  -- newest moments.
  add column search tsvector not null generated always as (
    array_to_tsvector(array['=type ' || type, '=priority ' || priority, '=source ' || lower(left(coalesce(source, ''), 400))])
    || to_tsvector('simple', translate(
      name || ' ' || coalesce(source, '') || ' ' || left(coalesce(description, ''), 4000),
      './\:@_=&?#%+~-', '              '))
  ) stored,
  add foreign key (organization_id, acknowledged_by) references users (organization_id, id)
    on delete set null (acknowledged_by),
  add foreign key (organization_id, resolved_by) references users (organization_id, id)
    on delete set null (resolved_by);
create index moments_search on moments using gin (search);
create index moments_unresolved on moments (organization_id, id desc) where state <> 'resolved';
create index moments_team on moments (team_id, id desc);
create index moments_occurred on moments (organization_id, occurred_at);

create table moment_comments (
  id bigint generated always as identity primary key,
  organization_id text collate "C" not null,
  moment_id text collate "C" not null,
  user_id text collate "C",
  text text not null check (length(text) between 1 and 10000),
  created_at timestamptz not null,
  foreign key (organization_id, moment_id) references moments (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete set null (user_id)
);
create index moment_comments_moment on moment_comments (moment_id, id);

-- Pages that were raised about the same thing, as a person says; a moment by itself pages nobody.
create table moment_pages (
  organization_id text collate "C" not null,
  moment_id text collate "C" not null,
  page_id text collate "C" not null,
  linked_by text collate "C",
  linked_at timestamptz not null,
  primary key (moment_id, page_id),
  foreign key (organization_id, moment_id) references moments (organization_id, id) on delete cascade,
  foreign key (organization_id, page_id) references pages (organization_id, id) on delete cascade,
  foreign key (organization_id, linked_by) references users (organization_id, id) on delete set null (linked_by)
);
create index moment_pages_page on moment_pages (page_id);
