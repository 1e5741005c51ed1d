-- The whole of Tocsin's data. Identifiers are TypeIDs kept as text: what a log line, a URL and a row say is one and the
-- same, and the "C" collation keeps them in the order of their making. Whatever a request can reach carries its
-- organization, and every reference between two such rows includes it: a row of one organization cannot even point at
-- a row of another. Times come from the statement that writes the row, never from a default: tests move the clock.

create extension if not exists btree_gist;

-- People ---------------------------------------------------------------------------------------------------------

create table organizations (
  id text collate "C" primary key check (id like 'organization\_%'),
  name text not null check (length(name) between 1 and 200),
  time_zone text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table users (
  id text collate "C" primary key check (id like 'organization\_user\_%'),
  organization_id text collate "C" not null references organizations on delete cascade,
  email text not null check (email like '%_@_%' and length(email) <= 320),
  name text not null check (length(name) between 1 and 200),
  username text not null check (length(username) between 1 and 100),
  role text not null check (role in ('owner', 'admin', 'member')),
  time_zone text not null,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (organization_id, id)
);
create unique index users_email on users (organization_id, lower(email));
create unique index users_username on users (organization_id, lower(username));

create table teams (
  id text collate "C" primary key check (id like 'team\_%'),
  organization_id text collate "C" not null references organizations on delete cascade,
  name text not null check (length(name) between 1 and 200),
  slug text not null check (length(slug) between 1 and 100),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (organization_id, id)
);
create unique index teams_slug on teams (organization_id, lower(slug));

create table team_members (
  organization_id text collate "C" not null,
  team_id text collate "C" not null,
  user_id text collate "C" not null,
  role text not null default 'member' check (role in ('manager', 'member')),
  created_at timestamptz not null,
  primary key (team_id, user_id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index team_members_user on team_members (user_id);

create table contact_methods (
  id text collate "C" primary key check (id like 'contact\_method\_%'),
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  position integer not null,
  type text not null check (type in ('phone', 'email', 'chat', 'webhook', 'push')),
  value text not null check (length(value) between 1 and 2048),
  chat_user_id text,
  push_keys jsonb,
  -- Standard Webhooks secret, sealed with the service's key.
  signing_secret bytea,
  verified_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (organization_id, id),
  unique (user_id, type, value),
  check ((type = 'webhook') = (signing_secret is not null)),
  check ((type = 'push') = (push_keys is not null)),
  check (chat_user_id is null or type = 'chat'),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);

create table notification_rules (
  user_id text collate "C" not null,
  organization_id text collate "C" not null,
  urgency text not null check (urgency in ('low', 'medium', 'high')),
  position integer not null,
  after_seconds integer not null check (after_seconds between 0 and 86400),
  channels text[] not null check (cardinality(channels) > 0
    and channels <@ array['push', 'sms', 'voice', 'chat', 'email', 'webhook', 'browser']),
  primary key (user_id, urgency, position),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);

-- Ways in --------------------------------------------------------------------------------------------------------

create table api_keys (
  id text collate "C" primary key check (id like 'api\_key\_%'),
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  name text not null check (length(name) between 1 and 200),
  key_hash bytea not null unique check (length(key_hash) = 32),
  -- The first characters, so that people can tell their keys apart.
  hint text not null,
  -- Null means all.
  scopes text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  unique (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index api_keys_user on api_keys (user_id);

create table sign_in_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);

create table sessions (
  id_hash bytea primary key check (length(id_hash) = 32),
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  user_agent text not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_seen_at timestamptz not null,
  created_at timestamptz not null,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index sessions_user on sessions (user_id);

create table webhooks (
  id text collate "C" primary key check (id like 'webhook\_%'),
  organization_id text collate "C" not null,
  team_id text collate "C" not null,
  name text not null check (length(name) between 1 and 200),
  type text not null check (length(type) between 1 and 100),
  token_hash bytea not null unique check (length(token_hash) = 32),
  token_sealed bytea not null,
  signing_secret_sealed bytea,
  settings jsonb not null default '{}',
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_by text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (organization_id, id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  foreign key (organization_id, created_by) references users (organization_id, id) on delete set null (created_by)
);
create unique index webhooks_name on webhooks (team_id, lower(name)) where revoked_at is null;

-- What was accepted ----------------------------------------------------------------------------------------------

create table requests (
  id text collate "C" primary key check (id like 'request\_%'),
  organization_id text collate "C" not null references organizations on delete cascade,
  kind text not null check (kind in ('page.team', 'page.person', 'moment', 'webhook')),
  status text not null check (status in ('queued', 'processing', 'retrying', 'succeeded', 'failed')),
  message text not null,
  attempts integer not null default 0 check (attempts >= 0),
  -- Array of {at, message}, oldest first.
  errors jsonb not null default '[]' check (jsonb_typeof(errors) = 'array'),
  -- The API key or webhook that asked.
  credential text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  next_attempt_at timestamptz,
  unique (organization_id, id),
  check ((status in ('succeeded', 'failed')) = (finished_at is not null)),
  check (next_attempt_at is null or status = 'retrying')
);
create index requests_newest on requests (organization_id, id desc);

-- First answers, to be given again for the same key and body within 24 hours.
create table idempotency_keys (
  credential text collate "C" not null,
  key text not null check (length(key) between 1 and 255),
  fingerprint bytea not null check (length(fingerprint) = 32),
  organization_id text collate "C" not null references organizations on delete cascade,
  status integer,
  answer bytea,
  created_at timestamptz not null,
  primary key (credential, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table refused_pages (
  id text collate "C" primary key check (id like 'refused\_page\_%'),
  organization_id text collate "C" not null references organizations on delete cascade,
  user_id text collate "C" not null,
  kind text not null check (kind in ('page.team', 'page.person')),
  body jsonb not null,
  details jsonb not null,
  refused_at timestamptz not null,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index refused_pages_newest on refused_pages (organization_id, id desc);

-- Availability and schedules -------------------------------------------------------------------------------------

create table availabilities (
  id text collate "C" primary key check (id like 'availability\_%'),
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  type text not null check (type in ('hard_unavailable', 'soft_unavailable', 'requested')),
  name text not null default '' check (length(name) <= 500),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (ends_at > starts_at),
  unique (user_id, type, name, starts_at, ends_at),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index availabilities_when on availabilities using gist (user_id, tstzrange(starts_at, ends_at));

create table schedules (
  id text collate "C" primary key check (id like 'schedule\_%'),
  organization_id text collate "C" not null,
  team_id text collate "C" not null,
  name text not null check (length(name) between 1 and 200),
  description text,
  enabled boolean not null,
  time_zone text not null,
  backstop_user_id text collate "C",
  strategy text not null check (strategy in ('fair', 'rotation')),
  -- {every: 'day'|'week'|'N hours', handoff: 'Monday 09:00'|'09:00', starts_on?} or {rrule, length, handoff}.
  pattern jsonb not null,
  rest_hours numeric not null default 0 check (rest_hours >= 0),
  cover text not null default 'propose' check (cover in ('propose', 'apply')),
  plan_ahead_weeks integer not null default 12 check (plan_ahead_weeks between 1 and 104),
  -- Shifts exist as rows up to here; null until the first plan.
  planned_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (organization_id, id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  foreign key (organization_id, backstop_user_id) references users (organization_id, id)
    on delete set null (backstop_user_id)
);
create unique index schedules_name on schedules (organization_id, name);
create index schedules_team on schedules (team_id) where enabled;

create table schedule_stages (
  organization_id text collate "C" not null,
  schedule_id text collate "C" not null,
  stage numeric not null check (stage >= 0),
  escalate_after_seconds integer not null default 300 check (escalate_after_seconds between 1 and 604800),
  -- How many people are on call in this stage at once.
  seats integer not null default 1 check (seats between 1 and 20),
  primary key (schedule_id, stage),
  foreign key (organization_id, schedule_id) references schedules (organization_id, id) on delete cascade
);

create table stage_members (
  organization_id text collate "C" not null,
  schedule_id text collate "C" not null,
  stage numeric not null,
  user_id text collate "C" not null,
  position integer not null,
  primary key (schedule_id, stage, user_id),
  foreign key (schedule_id, stage) references schedule_stages (schedule_id, stage) on delete cascade,
  foreign key (organization_id, schedule_id) references schedules (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);

create table overrides (
  id text collate "C" primary key check (id like 'override\_%'),
  organization_id text collate "C" not null,
  schedule_id text collate "C" not null,
  stage numeric not null,
  user_id text collate "C" not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Who did it: an organization user, or null when the operator's file did.
  created_by text collate "C",
  created_at timestamptz not null,
  check (ends_at > starts_at),
  unique (schedule_id, stage, user_id, starts_at, ends_at),
  foreign key (organization_id, schedule_id) references schedules (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, created_by) references users (organization_id, id) on delete set null (created_by)
);

-- Who is on call, as rows. A shift without a user is a gap: nobody could take it.
create table shifts (
  id text collate "C" primary key check (id like 'shift\_%'),
  organization_id text collate "C" not null,
  schedule_id text collate "C" not null,
  stage numeric not null,
  seat integer not null default 1 check (seat >= 1),
  user_id text collate "C",
  -- Who the plan had here before an override or a cover changed it; equal to user_id otherwise.
  planned_user_id text collate "C",
  override_id text collate "C" references overrides on delete set null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (ends_at > starts_at),
  constraint shifts_do_not_overlap exclude using gist
    (schedule_id with =, stage with =, seat with =, tstzrange(starts_at, ends_at) with &&),
  foreign key (organization_id, schedule_id) references schedules (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete set null (user_id),
  foreign key (organization_id, planned_user_id) references users (organization_id, id)
    on delete set null (planned_user_id)
);
create index shifts_person on shifts (user_id, starts_at);

-- Pages ----------------------------------------------------------------------------------------------------------

create table pages (
  id text collate "C" primary key check (id like 'page\_%'),
  organization_id text collate "C" not null,
  request_id text collate "C" not null unique,
  kind text not null check (kind in ('team', 'person')),
  team_id text collate "C",
  user_id text collate "C",
  title text not null,
  text text not null,
  source_url text,
  urgency text not null check (urgency in ('low', 'medium', 'high')),
  state text not null check (state in ('notifying', 'acknowledged', 'resolved', 'expired')),
  -- Round of the escalation, from 1.
  round integer not null default 1 check (round >= 1),
  -- Short code for replies by SMS.
  reply_code text not null,
  raised_by text collate "C",
  created_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by text collate "C",
  acknowledged_via text,
  resolved_at timestamptz,
  resolved_by text collate "C",
  expired_at timestamptz,
  unique (organization_id, id),
  check ((kind = 'team') = (team_id is not null)),
  check (kind = 'team' or user_id is not null),
  check (state <> 'acknowledged' or acknowledged_at is not null),
  check ((state = 'resolved') = (resolved_at is not null)),
  check (state <> 'expired' or expired_at is not null),
  foreign key (organization_id, request_id) references requests (organization_id, id) on delete cascade,
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, raised_by) references users (organization_id, id) on delete set null (raised_by),
  foreign key (organization_id, acknowledged_by) references users (organization_id, id)
    on delete set null (acknowledged_by),
  foreign key (organization_id, resolved_by) references users (organization_id, id) on delete set null (resolved_by)
);
create index pages_newest on pages (organization_id, id desc);
create index pages_open on pages (organization_id, id desc) where state in ('notifying', 'acknowledged');

-- What a page still has to do. The row lock taken while a step runs is its lease: a dead worker gives it back at once.
create table page_steps (
  id bigint generated always as identity primary key,
  organization_id text collate "C" not null,
  page_id text collate "C" not null,
  round integer not null,
  kind text not null check (kind in ('stage', 'backstop', 'person', 'members', 'expire')),
  stage numeric,
  due_at timestamptz not null,
  state text not null default 'due' check (state in ('due', 'done', 'cancelled')),
  attempts integer not null default 0,
  done_at timestamptz,
  check ((kind = 'stage') or stage is null),
  check ((state = 'due') = (done_at is null)),
  unique nulls not distinct (page_id, round, kind, stage),
  foreign key (organization_id, page_id) references pages (organization_id, id) on delete cascade
);
create index page_steps_due on page_steps (due_at, id) where state = 'due';

-- One person, asked for one round of one page; the rules of that person run once for it and are never restarted.
create table responders (
  id bigint generated always as identity primary key,
  organization_id text collate "C" not null,
  page_id text collate "C" not null,
  user_id text collate "C" not null,
  round integer not null,
  kind text not null check (kind in ('stage', 'backstop', 'person', 'members', 'added', 'expired')),
  stage numeric,
  -- Why this person: schedule and shift, availability, or who asked.
  why jsonb not null,
  started_at timestamptz not null,
  -- Set when every contact method was tried and none could be.
  unreachable_at timestamptz,
  unique (organization_id, id),
  unique nulls not distinct (page_id, user_id, round, kind, stage),
  foreign key (organization_id, page_id) references pages (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);

create table deliveries (
  id text collate "C" primary key check (id like 'delivery\_%'),
  organization_id text collate "C" not null,
  page_id text collate "C" not null,
  responder_id bigint not null,
  user_id text collate "C" not null,
  contact_method_id text collate "C",
  type text not null check (type in ('page.notification', 'page.expired')),
  channel text not null check (channel in ('push', 'sms', 'voice', 'chat', 'email', 'webhook', 'browser')),
  -- As it was when the delivery was made: evidence outlives a changed number.
  address text not null,
  -- Which rule of the person asked for it, from 0; the fallback to every verified method is 1000.
  rule integer not null,
  state text not null check (state in
    ('waiting', 'sending', 'retrying', 'accepted', 'delivered', 'failed', 'cancelled', 'bundled')),
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- Attempts without those that a storm's limit put off: the backoff counts these.
  failures integer not null default 0,
  -- Node that is sending it and until when its word counts; attempts is the fencing token.
  lease_owner integer,
  lease_until timestamptz,
  repeat boolean not null default false,
  bundled_into text collate "C" references deliveries on delete set null,
  provider_id text,
  receipt text,
  receipt_at timestamptz,
  error text,
  -- When the latest attempt began: the limits for storms count these.
  sent_at timestamptz,
  -- Put off by such a limit; leaves together with the others that wait for the same person and channel.
  held boolean not null default false,
  accepted_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null,
  unique (organization_id, id),
  check ((state = 'sending') = (lease_owner is not null and lease_until is not null)),
  check (state not in ('accepted', 'delivered') or accepted_at is not null),
  check ((state in ('delivered', 'failed', 'cancelled', 'bundled')) <= (finished_at is not null)),
  foreign key (organization_id, page_id) references pages (organization_id, id) on delete cascade,
  foreign key (organization_id, responder_id) references responders (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, contact_method_id) references contact_methods (organization_id, id)
    on delete set null (contact_method_id)
);
create index deliveries_due on deliveries (due_at) where state in ('waiting', 'retrying');
create index deliveries_sending on deliveries (lease_owner) where state = 'sending';
create index deliveries_page on deliveries (page_id);
create index deliveries_responder on deliveries (responder_id);
create index deliveries_sent on deliveries (user_id, channel, sent_at) where sent_at is not null;
-- What a message carries beside itself; without it every look would read the whole history.
create index deliveries_bundled on deliveries (bundled_into) where bundled_into is not null;
create index deliveries_held on deliveries (user_id, channel) where held and state = 'waiting';
create index deliveries_provider on deliveries (provider_id) where provider_id is not null;

create table delivery_attempts (
  delivery_id text collate "C" not null,
  attempt integer not null,
  organization_id text collate "C" not null,
  node integer not null,
  begun_at timestamptz not null,
  ended_at timestamptz,
  -- Null while under way; 'unknown' when the node died before it could say.
  outcome text check (outcome in ('accepted', 'refused', 'retry', 'unknown')),
  provider_id text,
  error text,
  primary key (delivery_id, attempt),
  check ((ended_at is null) = (outcome is null)),
  foreign key (organization_id, delivery_id) references deliveries (organization_id, id) on delete cascade
);

create table page_events (
  id bigint generated always as identity primary key,
  organization_id text collate "C" not null,
  page_id text collate "C" not null,
  at timestamptz not null,
  kind text not null,
  user_id text collate "C",
  data jsonb not null default '{}',
  foreign key (organization_id, page_id) references pages (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete set null (user_id)
);
create index page_events_page on page_events (page_id, id);

-- Moments --------------------------------------------------------------------------------------------------------

create table received_notifications (
  id text collate "C" primary key check (id like 'notification\_%'),
  organization_id text collate "C" not null,
  webhook_id text collate "C" not null,
  request_id text collate "C",
  -- 'custom', 'api' or the name of an adapter.
  integration text not null,
  headers jsonb not null,
  body bytea not null,
  state text not null check (state in ('queued', 'success', 'error', 'ignored')),
  reason text,
  attempts integer not null default 0,
  due_at timestamptz not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  unique (organization_id, id),
  check ((state = 'queued') = (processed_at is null)),
  check (state in ('queued', 'success') or reason is not null),
  foreign key (organization_id, webhook_id) references webhooks (organization_id, id) on delete cascade,
  foreign key (organization_id, request_id) references requests (organization_id, id) on delete cascade
);
create index received_notifications_due on received_notifications (due_at, id) where state = 'queued';
create index received_notifications_newest on received_notifications (webhook_id, id desc);
create index received_notifications_request on received_notifications (request_id);

create table moments (
  id text collate "C" primary key check (id like 'moment\_%'),
  organization_id text collate "C" not null,
  team_id text collate "C" not null,
  webhook_id text collate "C",
  name text not null check (length(name) between 1 and 255),
  type text not null check (type in ('alert', 'incident', 'near-miss', 'page')),
  description text,
  priority text not null check (priority in ('low', 'medium', 'high')),
  source text,
  source_url text,
  occurred_at timestamptz not null,
  state text not null check (state in ('open', 'acknowledged', 'resolved')),
  -- What follow-up calls about the same thing share, within one webhook.
  dedup_key text,
  -- The sender's own time of the newest event taken in: an older one does not change the state back.
  last_event_at timestamptz not null,
  acknowledged_at timestamptz,
  resolved_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (organization_id, id),
  check ((state = 'resolved') = (resolved_at is not null)),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  foreign key (organization_id, webhook_id) references webhooks (organization_id, id) on delete set null (webhook_id)
);
create unique index moments_open on moments (webhook_id, dedup_key)
  where state <> 'resolved' and dedup_key is not null;
create index moments_dedup on moments (webhook_id, dedup_key, id desc) where dedup_key is not null;
create index moments_newest on moments (organization_id, id desc);

create table notification_moments (
  notification_id text collate "C" not null,
  moment_id text collate "C" not null,
  organization_id text collate "C" not null,
  position integer not null,
  primary key (notification_id, moment_id),
  foreign key (organization_id, notification_id) references received_notifications (organization_id, id)
    on delete cascade,
  foreign key (organization_id, moment_id) references moments (organization_id, id) on delete cascade
);
create index notification_moments_moment on notification_moments (moment_id);

-- Running the service --------------------------------------------------------------------------------------------

create table problems (
  id bigint generated always as identity primary key,
  -- Null when it concerns every organization, as a provider's credentials do.
  organization_id text collate "C" references organizations on delete cascade,
  -- 'channel:email', 'webhook:<id>', …
  subject text not null,
  code text not null,
  message text not null,
  fix text not null,
  count bigint not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  closed_at timestamptz
);
create unique index problems_open on problems (organization_id, subject, code) nulls not distinct
  where closed_at is null;

-- One row: what belongs to this database and to no other.
create table installation (
  only_one boolean primary key default true check (only_one),
  -- Signature by the secret key: a node with another key could neither read what is sealed nor verify its links.
  key_check text not null,
  created_at timestamptz not null
);

-- Every process; it holds the advisory lock (7303, id) for as long as it lives.
create table nodes (
  id integer generated always as identity primary key,
  role text not null check (role in ('all', 'api', 'worker')),
  host text not null,
  pid integer not null,
  version text not null,
  started_at timestamptz not null,
  stopped_at timestamptz
);

-- Dashboards that are open now, and the node that holds their connection: only that one can reach them.
create table open_dashboards (
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  node integer not null references nodes on delete cascade,
  opened_at timestamptz not null,
  primary key (user_id, node),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);

create table audit_log (
  id bigint generated always as identity primary key,
  organization_id text collate "C" not null references organizations on delete cascade,
  at timestamptz not null,
  -- An organization user, or null when the operator did it on the command line.
  user_id text collate "C",
  action text not null,
  subject text not null,
  data jsonb not null default '{}'
);
create index audit_log_newest on audit_log (organization_id, id desc);
