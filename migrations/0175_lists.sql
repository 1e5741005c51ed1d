-- What a list shows is found without reading what it does not show, however much that is.

-- The unique index on organization and id, read backwards, lists pages as well: one index less for each that is accepted.
drop index pages_newest;
create index pages_team on pages (team_id, id) where team_id is not null;
-- The state of a page stands in another index already, so that these cost nothing until a page expires.
create index pages_expired on pages (organization_id, id desc) where state = 'expired';

-- Pages that asked somebody; it also finds what goes with a person who is removed.
create index responders_person on responders (user_id, page_id);

create index moments_webhook on moments (webhook_id, id) where webhook_id is not null;
-- Few are acknowledged where many stay open for ever.
create index moments_acknowledged on moments (organization_id, id desc) where state = 'acknowledged';
