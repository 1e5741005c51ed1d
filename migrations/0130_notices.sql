-- What people are told that is not a page: read in the dashboard, and sent to them by messages.
create table notices (
  id bigint generated always as identity primary key,
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  kind text not null check (kind ~ '^[a-z_]+(\.[a-z_]+)*$' and length(kind) <= 100),
  subject text not null check (length(subject) between 1 and 300),
  text text not null check (length(text) <= 10000),
  -- Of the dashboard.
  path text check (path like '/%' and length(path) <= 1000),
  -- The same is told to the same person once, ever.
  dedup_key text check (length(dedup_key) between 1 and 300),
  read_at timestamptz,
  created_at timestamptz not null,
  unique (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create unique index notices_once on notices (user_id, dedup_key) where dedup_key is not null;
create index notices_newest on notices (user_id, id desc);
create index notices_age on notices (created_at);

-- One text to one address, sent until it is accepted or not worth sending any more.
create table messages (
  id text collate "C" primary key check (id like 'message\_%'),
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  -- Null: to an address, whoever's it is.
  notice_id bigint,
  contact_method_id text collate "C",
  channel text not null check (channel in ('push', 'sms', 'voice', 'chat', 'email', 'webhook')),
  address text not null check (length(address) between 1 and 2048),
  subject text not null check (length(subject) between 1 and 300),
  text text not null check (length(text) <= 10000),
  url text check (length(url) <= 2048),
  dedup_key text check (length(dedup_key) between 1 and 300),
  state text not null check (state in ('waiting', 'sending', 'sent', 'failed', 'expired')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  lease_until timestamptz,
  provider_id text,
  error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((state = 'sending') = (lease_until is not null)),
  check ((state in ('sent', 'failed', 'expired')) = (finished_at is not null)),
  foreign key (organization_id, notice_id) references notices (organization_id, id) on delete cascade,
  foreign key (organization_id, contact_method_id) references contact_methods (organization_id, id) on delete cascade
);
create unique index messages_once on messages (organization_id, channel, address, dedup_key) where dedup_key is not null;
create index messages_waiting on messages (due_at, id) where state = 'waiting';
create index messages_leased on messages (lease_until) where state = 'sending';
create index messages_notice on messages (notice_id);
create index messages_method on messages (contact_method_id);
create index messages_age on messages (finished_at);

-- Whether a contact method gets notices too, or pages alone. Programs that were told of pages did not ask for more.
alter table contact_methods add column notices boolean not null default true;
update contact_methods set notices = false where type = 'webhook';
