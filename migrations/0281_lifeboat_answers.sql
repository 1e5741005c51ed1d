-- Acknowledgements and resolutions by dedup key that a lifeboat took while the database was away. When lifeboats land, they
-- are applied to open pages of the same key that the lifeboat did not know, such as those of another node.
create table lifeboat_answers (
  organization_id text not null references organizations on delete cascade,
  dedup_scope text not null,
  dedup_key text not null,
  action text not null check (action in ('acknowledge', 'unacknowledge', 'resolve')),
  received_at timestamptz not null,
  -- The sender's own time of the event, if it is exact.
  sent_at timestamptz,
  -- The page source that acted; null for a program with an API key.
  source jsonb,
  user_id text,
  primary key (organization_id, dedup_scope, dedup_key, action),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete set null (user_id)
);
