-- while the service runs
-- formerly 1504ad640596c8327a5b65fd5fe141eb398c9dc82f1c4795f07cb87ad0a58a55
-- What a list shows is found without reading what it does not show, however much that is.

create index concurrently if not exists pages_team on pages (team_id, id) where team_id is not null;
-- The state of a page stands in another index already, so that these cost nothing until a page expires.
create index concurrently if not exists pages_expired on pages (organization_id, id desc) where state = 'expired';

-- Pages that asked somebody; it also finds what goes with a person who is removed.
create index concurrently if not exists responders_person on responders (user_id, page_id);

create index concurrently if not exists moments_webhook on moments (webhook_id, id) where webhook_id is not null;
-- Few are acknowledged where many stay open for ever.
create index concurrently if not exists moments_acknowledged on moments (organization_id, id desc)
  where state = 'acknowledged';

-- The unique index on organization and id, read backwards, lists pages as well: one index less for each that is accepted.
drop index concurrently if exists pages_newest;
