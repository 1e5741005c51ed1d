-- A page that expired stays in the list of open pages until somebody resolves it or pages again.

-- Those that expired earlier count as handled: nobody wants to wake up to a year of them after an upgrade.
alter table organizations
  add column expired_pages_since timestamptz not null default now() - interval '7 days';

-- Pages that were raised with the content and recipient of a former one, because nobody had answered that.
create table pages_again (
  organization_id text not null,
  page_id text not null,
  former_page_id text not null,
  raised_at timestamptz not null,
  primary key (page_id),
  foreign key (organization_id, page_id) references pages (organization_id, id) on delete cascade,
  foreign key (organization_id, former_page_id) references pages (organization_id, id) on delete cascade
);
create index pages_again_former on pages_again (former_page_id);
