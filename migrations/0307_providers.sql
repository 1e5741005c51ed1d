-- What owners and admins set up in the dashboard of the providers of email, SMS, calls and chat. The values are encrypted
-- with the secret key. The environment wins over them.
create table providers (
  name text primary key,
  sealed bytea not null,
  changed_at timestamptz not null,
  changed_by text references users on delete set null
);
