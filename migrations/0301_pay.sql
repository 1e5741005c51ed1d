-- Pay for being on call: rates of each region, who is paid by which, and what was paid.
create table pay_tables (
  id text primary key check (id like 'pay\_table\_%'),
  organization_id text not null references organizations (id) on delete cascade,
  name text not null check (length(name) between 1 and 80),
  -- ISO 4217. It cannot change, because amounts were stored in it.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Decides what is a night, a weekend or a holiday, and when a day begins.
  time_zone text not null,
  -- The place whose public holidays count; null: the lists of holidays of the organization.
  country text,
  region text,
  -- Years whose holidays are in pay_holidays.
  holiday_years jsonb not null default '[]',
  -- For everybody who is not in pay_people.
  is_default boolean not null default false,
  created_at timestamptz not null,
  unique (organization_id, id)
);
create unique index pay_tables_name on pay_tables (lower(name), organization_id);
create unique index pay_tables_default on pay_tables (organization_id) where is_default;

create table pay_rates (
  organization_id text not null,
  table_id text not null,
  -- Local days of the table, both inclusive; null: until the next rates begin.
  valid_from date not null,
  valid_until date check (valid_until >= valid_from),
  rates jsonb not null,
  primary key (table_id, valid_from),
  foreign key (organization_id, table_id) references pay_tables (organization_id, id) on delete cascade
);
create index pay_rates_table on pay_rates (organization_id, table_id);

-- The public holidays of the table's place. They stay as they were computed, because pay must not change when a new
-- release corrects a past holiday.
create table pay_holidays (
  organization_id text not null,
  table_id text not null,
  date date not null,
  name text not null,
  primary key (table_id, date),
  foreign key (organization_id, table_id) references pay_tables (organization_id, id) on delete cascade
);
create index pay_holidays_table on pay_holidays (organization_id, table_id);

create table pay_people (
  organization_id text not null,
  user_id text not null,
  valid_from date not null,
  -- Null: the person is not paid for being on call.
  table_id text,
  primary key (user_id, valid_from),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, table_id) references pay_tables (organization_id, id)
);
create index pay_people_person on pay_people (organization_id, user_id);
create index pay_people_table on pay_people (organization_id, table_id);

create table pay_periods (
  id text primary key check (id like 'pay\_period\_%'),
  organization_id text not null references organizations (id) on delete cascade,
  -- Local days of each table, both inclusive.
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  state text not null default 'draft' check (state in ('draft', 'checked', 'published')),
  -- Digest of the statements that were checked.
  figures text,
  created_by text,
  created_at timestamptz not null,
  checked_by text,
  checked_at timestamptz,
  published_by text,
  published_at timestamptz,
  unique (organization_id, id),
  foreign key (organization_id, created_by) references users (organization_id, id) on delete set null (created_by),
  foreign key (organization_id, checked_by) references users (organization_id, id) on delete set null (checked_by),
  foreign key (organization_id, published_by) references users (organization_id, id) on delete set null (published_by)
);
create unique index pay_periods_first on pay_periods (first_day, organization_id);
create index pay_periods_created on pay_periods (created_by, organization_id);
create index pay_periods_checked on pay_periods (checked_by, organization_id);
create index pay_periods_published on pay_periods (published_by, organization_id);

-- What a person is paid by a table in a period, as it was checked.
create table pay_statements (
  organization_id text not null,
  period_id text not null,
  user_id text not null,
  table_id text not null,
  -- For the period itself, in the smallest unit of the currency, without corrections of earlier periods.
  amount bigint not null,
  content jsonb not null,
  primary key (period_id, user_id, table_id),
  foreign key (organization_id, period_id) references pay_periods (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id),
  foreign key (organization_id, table_id) references pay_tables (organization_id, id)
);
create index pay_statements_period on pay_statements (organization_id, period_id);
create index pay_statements_person on pay_statements (organization_id, user_id);
create index pay_statements_table on pay_statements (organization_id, table_id);

-- Times on call in schedules that were deleted, which people are still paid for.
create table former_shifts (
  id bigint generated always as identity primary key,
  organization_id text not null,
  user_id text not null,
  schedule_name text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index former_shifts_time on former_shifts (organization_id, ends_at);
create index former_shifts_old on former_shifts (ends_at);
create index former_shifts_person on former_shifts (organization_id, user_id);
