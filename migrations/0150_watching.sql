-- When a process last wrote: a sign of life that others, and whoever looks into the database, can read.
alter table nodes add column seen_at timestamptz;

-- The organization in which the service pages itself, to see that it works. Nobody belongs to it and nobody sees it.
alter table organizations add column hidden boolean not null default false;
create unique index organizations_hidden on organizations (hidden) where hidden;
