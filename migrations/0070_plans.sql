-- Plans: what each was made from, what it is worth, and drafts that wait for somebody to publish them.

create table plans (
  id text primary key check (id like 'plan\_%'),
  organization_id text not null,
  schedule_id text not null,
  state text not null check (state in ('waiting', 'solving', 'draft', 'published', 'discarded', 'failed')),
  freedom text not null check (freedom in ('keep', 'fresh')),
  -- What it is made from is read as of then.
  as_of timestamptz not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at >= starts_at),
  -- Of all that it was made from: a draft is published only while that is so.
  input_hash text,
  -- Origin, objective by term, bound, gap, seconds and solver; null for rotations.
  figures jsonb,
  -- Of a draft: the shifts, with reasons, and while it is being solved how far it is.
  shifts jsonb,
  progress jsonb,
  error text,
  -- A node that solves it says until when it can be taken for alive.
  leased_until timestamptz,
  created_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  published_at timestamptz,
  published_by text,
  foreign key (organization_id, schedule_id) references schedules (organization_id, id) on delete cascade,
  foreign key (organization_id, created_by) references users (organization_id, id) on delete set null (created_by),
  foreign key (organization_id, published_by) references users (organization_id, id) on delete set null (published_by)
);

create unique index plans_draft on plans (schedule_id) where state in ('waiting', 'solving', 'draft', 'failed');
create index plans_published on plans (schedule_id, published_at desc) where state = 'published';
create index plans_to_solve on plans (created_at) where state in ('waiting', 'solving');

alter table schedules
  -- Of what was planned last: while it is the same there is nothing to plan.
  add column settled text,
  -- Weights of nights, weekends and holidays, limits, and whether shifts elsewhere count; null is usual.
  add column planning jsonb;
