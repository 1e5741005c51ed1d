-- Page sources: doors through which monitoring systems page. A source is a webhook whose calls page people. It shares the
-- token, the rotation, the expiry, the problems and the received calls of webhooks; `page_sources` holds what only sources have.
alter table webhooks add column pages boolean not null default false;
-- Its ids begin with `source_`. Kinds of ids and of requests are declared in the code.
alter table webhooks drop constraint webhooks_id_check;

create table page_sources (
  id text primary key,
  organization_id text not null,
  -- The keyed hash of the key of dialects (PagerDuty, Opsgenie and others), whose senders know no URL of ours. Null: none.
  key_hash bytea unique check (length(key_hash) = 32),
  key_last4 text,
  settings jsonb not null default '{}',
  -- Heartbeats only.
  interval_minutes integer check (interval_minutes > 0),
  last_beat_at timestamptz,
  -- Set while a heartbeat is late and its page has been raised.
  late_since timestamptz,
  foreign key (organization_id, id) references webhooks (organization_id, id) on delete cascade
);

-- An older release would record the calls of sources without paging anybody, so sources are created only while every running
-- node can page for them.
alter table nodes add column pages_for_sources boolean not null default false;

-- Calls of sources are processed before calls that only record moments.
alter table received_notifications add column pages boolean not null default false;

-- What an open page is found by: the scope is a source, or the recipient of a page with a dedup key.
alter table pages add column source_id text;
alter table pages add column dedup_scope text;
alter table pages add column dedup_key text;
-- The page of the same key before this one.
alter table pages add column previous_page_id text;
-- A source that acknowledged or resolved the page, and the person whom it named.
alter table pages add column acknowledged_by_source text;
alter table pages add column acknowledged_as text;
alter table pages add column resolved_by_source text;
alter table pages add column resolved_as text;

-- What a request did to pages: one that it raised, or open ones that it updated.
alter table requests drop constraint requests_kind_check;
create table request_pages (
  request_id text not null,
  organization_id text not null,
  position integer not null,
  page_id text,
  action text not null check (action in ('raised', 'updated', 'acknowledged', 'resolved', 'waiting', 'ignored')),
  reason text,
  primary key (request_id, position),
  foreign key (organization_id, request_id) references requests (organization_id, id) on delete cascade,
  foreign key (organization_id, page_id) references pages (organization_id, id) on delete set null (page_id)
);
create index request_pages_page on request_pages (page_id) where page_id is not null;

-- Triggers that page later, if nothing resolves them before: rules that wait, hours, and maintenance windows.
create table waiting_pages (
  id bigint generated always as identity primary key,
  organization_id text not null,
  source_id text not null,
  dedup_key text,
  -- Null for heartbeats, and when the request was forgotten meanwhile.
  request_id text,
  -- Of the event in its call.
  position integer not null,
  event jsonb not null,
  -- Why it waits: `rule`, `hours` or the id of a window.
  reason text not null,
  due_at timestamptz not null,
  created_at timestamptz not null,
  foreign key (organization_id, source_id) references webhooks (organization_id, id) on delete cascade,
  foreign key (organization_id, request_id) references requests (organization_id, id) on delete set null (request_id)
);
create unique index waiting_pages_key on waiting_pages (source_id, dedup_key);
create index waiting_pages_due on waiting_pages (due_at);
create index waiting_pages_request on waiting_pages (request_id);
