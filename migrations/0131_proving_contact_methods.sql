-- People add their own contact methods and prove them with a code; and say when they sleep.
alter table contact_methods
  -- When its person last showed that messages there reach them, by typing in a code.
  add column proved_at timestamptz;

-- The code that is on its way to a contact method; a new one takes the old one's place.
create table contact_method_codes (
  contact_method_id text collate "C" primary key,
  organization_id text collate "C" not null,
  -- Signed with our key, never the digits.
  code_tag text not null,
  tries integer not null default 0 check (tries between 0 and 5),
  expires_at timestamptz not null,
  foreign key (organization_id, contact_method_id) references contact_methods (organization_id, id) on delete cascade
);

-- Codes and tests that people had sent, to bound them: each may cost money, and go to somebody who did not ask.
create table contact_method_sends (
  id bigint generated always as identity primary key,
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  type text not null check (type in ('phone', 'email', 'chat', 'webhook', 'push')),
  address text not null,
  at timestamptz not null,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index contact_method_sends_recent on contact_method_sends (organization_id, at);

-- Minutes from midnight in the person's own zone; null: from 22:00 until 07:00. Reports count who was woken.
alter table users
  add column sleep_from integer check (sleep_from between 0 and 1439),
  add column sleep_until integer check (sleep_until between 0 and 1439),
  add constraint users_sleep_whole check ((sleep_from is null) = (sleep_until is null) and sleep_from <> sleep_until);
