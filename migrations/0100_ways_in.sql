-- Passwords, passkeys, second factors, identities of others, invitations, and what people see of their sessions.

alter table organizations add column requires_two_factor boolean not null default false;

alter table sessions
  add column id text,
  add column method text not null default 'link'
    check (method in ('link', 'password', 'passkey', 'oidc', 'invitation', 'first_run')),
  add column place text not null default '',
  add column confirmed_at timestamptz;
update sessions set id = 'session_' || encode(substring(id_hash from 1 for 13), 'hex'), confirmed_at = created_at;
alter table sessions
  alter column id set not null,
  alter column confirmed_at set not null,
  alter column method drop default,
  alter column place drop default,
  add constraint sessions_id_check check (id like 'session\_%'),
  add constraint sessions_id_key unique (id);

-- Null: the operator's, on the command line.
alter table sign_in_links add column made_by text;

create table passwords (
  user_id text primary key,
  organization_id text not null,
  -- Argon2id in the form of PHC strings: parameters, salt and hash.
  hash text not null check (hash like '$argon2id$%'),
  changed_at timestamptz not null,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);

create table passkeys (
  id text primary key check (id like 'passkey\_%'),
  organization_id text not null,
  user_id text not null,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null check (length(name) between 1 and 200),
  last_used_at timestamptz,
  created_at timestamptz not null,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index passkeys_user on passkeys (user_id);

create table one_time_codes (
  user_id text primary key,
  organization_id text not null,
  secret bytea not null,
  -- Of the code that was used last: no code works twice.
  last_step bigint not null,
  created_at timestamptz not null,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);

create table recovery_codes (
  user_id text not null,
  organization_id text not null,
  code_hash bytea not null check (length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);

-- Who somebody is at the organization's own identity provider.
create table oidc_identities (
  issuer text not null,
  subject text not null,
  organization_id text not null,
  user_id text not null,
  created_at timestamptz not null,
  primary key (issuer, subject),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index oidc_identities_user on oidc_identities (user_id);

-- What was begun and must be answered once, soon: challenges of passkeys, second factors, ways out and back.
create table challenges (
  hash bytea primary key check (length(hash) = 32),
  purpose text not null
    check (purpose in ('passkey_new', 'passkey', 'second_factor', 'one_time_codes', 'oidc', 'new_password')),
  organization_id text,
  user_id text,
  data jsonb not null default '{}',
  expires_at timestamptz not null,
  created_at timestamptz not null,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index challenges_expiry on challenges (expires_at);
create index challenges_user on challenges (user_id);

-- Tries to sign in that failed, by account and by address; only hashes of both.
create table sign_in_attempts (
  subject bytea primary key check (length(subject) = 32),
  failures integer not null check (failures >= 0),
  last_at timestamptz not null,
  blocked_until timestamptz
);
create index sign_in_attempts_age on sign_in_attempts (last_at);

create table invitations (
  id text primary key check (id like 'invitation\_%'),
  organization_id text not null references organizations (id) on delete cascade,
  email text not null check (email like '%_@_%' and length(email) <= 320),
  name text check (length(name) between 1 and 200),
  role text not null check (role in ('owner', 'admin', 'member')),
  team_ids text[] not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- Sealed, so that whoever may invite can copy the link again.
  token bytea not null,
  invited_by text,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text,
  revoked_at timestamptz,
  created_at timestamptz not null,
  foreign key (organization_id, invited_by) references users (organization_id, id) on delete set null (invited_by),
  foreign key (organization_id, accepted_by) references users (organization_id, id) on delete set null (accepted_by)
);
create unique index invitations_open on invitations (organization_id, lower(email))
  where accepted_at is null and revoked_at is null;
