-- What a storm of moments taught.

-- An index that begins with the organization tempts the check of references, which asks for organization and id: with
-- statistics of an empty table it read all moments of the organization for each new one.
drop index moments_occurred;
create index moments_occurred on moments (occurred_at, organization_id);

-- The unique indexes on organization and id, read backwards, serve these lists as well.
drop index moments_newest;
drop index received_notifications_organization;

-- Words of long descriptions took longer to find out than all the rest of recording a moment.
alter table moments drop column search;
alter table moments add column search tsvector not null generated always as (
  array_to_tsvector(array['=type ' || type, '=priority ' || priority, '=source ' || lower(left(coalesce(source, ''), 400))])
  || to_tsvector('simple', translate(
    name || ' ' || coalesce(source, '') || ' ' || left(coalesce(description, ''), 1000),
    './\:@_=&?#%+~-', '              '))
) stored;
create index moments_search on moments using gin (search);
