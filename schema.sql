-- What the migrations add up to. Written by `npm run schema`, compared by `npm run check`; do not edit.

create extension btree_gist;

create table api_keys (
  id text not null,
  organization_id text not null,
  user_id text not null,
  name text not null,
  key_hash bytea not null,
  hint text not null,
  scopes text[],
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint api_keys_id_check CHECK ((id ~~ 'api\_key\_%'::text)),
  constraint api_keys_key_hash_check CHECK ((length(key_hash) = 32)),
  constraint api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint api_keys_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE INDEX api_keys_user ON public.api_keys USING btree (user_id);

create table audit_log (
  id bigint not null generated always as identity,
  organization_id text not null,
  at timestamp with time zone not null,
  user_id text,
  action text not null,
  subject text not null,
  data jsonb not null default '{}'::jsonb,
  constraint audit_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_newest ON public.audit_log USING btree (organization_id, id DESC);

create table availabilities (
  id text not null,
  organization_id text not null,
  user_id text not null,
  type text not null,
  name text not null default ''::text,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint availabilities_check CHECK ((ends_at > starts_at)),
  constraint availabilities_id_check CHECK ((id ~~ 'availability\_%'::text)),
  constraint availabilities_name_check CHECK ((length(name) <= 500)),
  constraint availabilities_type_check CHECK ((type = ANY (ARRAY['hard_unavailable'::text, 'soft_unavailable'::text, 'requested'::text]))),
  constraint availabilities_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint availabilities_pkey PRIMARY KEY (id),
  constraint availabilities_user_id_type_name_starts_at_ends_at_key UNIQUE (user_id, type, name, starts_at, ends_at)
);
CREATE INDEX availabilities_by_end ON public.availabilities USING btree (user_id, ends_at, starts_at);

create table contact_methods (
  id text not null,
  organization_id text not null,
  user_id text not null,
  position integer not null,
  type text not null,
  value text not null,
  chat_user_id text,
  push_keys jsonb,
  signing_secret bytea,
  verified_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint contact_methods_check CHECK (((type = 'webhook'::text) = (signing_secret IS NOT NULL))),
  constraint contact_methods_check1 CHECK (((type = 'push'::text) = (push_keys IS NOT NULL))),
  constraint contact_methods_check2 CHECK (((chat_user_id IS NULL) OR (type = 'chat'::text))),
  constraint contact_methods_id_check CHECK ((id ~~ 'contact\_method\_%'::text)),
  constraint contact_methods_type_check CHECK ((type = ANY (ARRAY['phone'::text, 'email'::text, 'chat'::text, 'webhook'::text, 'push'::text]))),
  constraint contact_methods_value_check CHECK (((length(value) >= 1) AND (length(value) <= 2048))),
  constraint contact_methods_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint contact_methods_pkey PRIMARY KEY (id),
  constraint contact_methods_organization_id_id_key UNIQUE (organization_id, id),
  constraint contact_methods_user_id_type_value_key UNIQUE (user_id, type, value)
);

create table deliveries (
  id text not null,
  organization_id text not null,
  page_id text not null,
  responder_id bigint not null,
  user_id text not null,
  contact_method_id text,
  type text not null,
  channel text not null,
  address text not null,
  rule integer not null,
  state text not null,
  due_at timestamp with time zone not null,
  attempts integer not null default 0,
  failures integer not null default 0,
  lease_owner integer,
  lease_until timestamp with time zone,
  repeat boolean not null default false,
  bundled_into text,
  provider_id text,
  receipt text,
  receipt_at timestamp with time zone,
  error text,
  sent_at timestamp with time zone,
  held boolean not null default false,
  accepted_at timestamp with time zone,
  finished_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint deliveries_channel_check CHECK ((channel = ANY (ARRAY['push'::text, 'sms'::text, 'voice'::text, 'chat'::text, 'email'::text, 'webhook'::text, 'browser'::text]))),
  constraint deliveries_check CHECK (((state = 'sending'::text) = ((lease_owner IS NOT NULL) AND (lease_until IS NOT NULL)))),
  constraint deliveries_check1 CHECK (((state <> ALL (ARRAY['accepted'::text, 'delivered'::text])) OR (accepted_at IS NOT NULL))),
  constraint deliveries_check2 CHECK (((state = ANY (ARRAY['delivered'::text, 'failed'::text, 'cancelled'::text, 'bundled'::text])) <= (finished_at IS NOT NULL))),
  constraint deliveries_id_check CHECK ((id ~~ 'delivery\_%'::text)),
  constraint deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'retrying'::text, 'accepted'::text, 'delivered'::text, 'failed'::text, 'cancelled'::text, 'bundled'::text]))),
  constraint deliveries_type_check CHECK ((type = ANY (ARRAY['page.notification'::text, 'page.expired'::text]))),
  constraint deliveries_bundled_into_fkey FOREIGN KEY (bundled_into) REFERENCES deliveries(id) ON DELETE SET NULL,
  constraint deliveries_organization_id_contact_method_id_fkey FOREIGN KEY (organization_id, contact_method_id) REFERENCES contact_methods(organization_id, id) ON DELETE SET NULL (contact_method_id),
  constraint deliveries_organization_id_page_id_fkey FOREIGN KEY (organization_id, page_id) REFERENCES pages(organization_id, id) ON DELETE CASCADE,
  constraint deliveries_organization_id_responder_id_fkey FOREIGN KEY (organization_id, responder_id) REFERENCES responders(organization_id, id) ON DELETE CASCADE,
  constraint deliveries_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE INDEX deliveries_bundled ON public.deliveries USING btree (bundled_into) WHERE (bundled_into IS NOT NULL);
CREATE INDEX deliveries_due ON public.deliveries USING btree (due_at) WHERE (state = ANY (ARRAY['waiting'::text, 'retrying'::text]));
CREATE INDEX deliveries_held ON public.deliveries USING btree (user_id, channel) WHERE (held AND (state = 'waiting'::text));
CREATE INDEX deliveries_page ON public.deliveries USING btree (page_id);
CREATE INDEX deliveries_provider ON public.deliveries USING btree (provider_id) WHERE (provider_id IS NOT NULL);
CREATE INDEX deliveries_responder ON public.deliveries USING btree (responder_id);
CREATE INDEX deliveries_sending ON public.deliveries USING btree (lease_owner) WHERE (state = 'sending'::text);
CREATE INDEX deliveries_sent ON public.deliveries USING btree (user_id, channel, sent_at) WHERE (sent_at IS NOT NULL);

create table delivery_attempts (
  delivery_id text not null,
  attempt integer not null,
  organization_id text not null,
  node integer not null,
  begun_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  outcome text,
  provider_id text,
  error text,
  constraint delivery_attempts_check CHECK (((ended_at IS NULL) = (outcome IS NULL))),
  constraint delivery_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'refused'::text, 'retry'::text, 'unknown'::text]))),
  constraint delivery_attempts_organization_id_delivery_id_fkey FOREIGN KEY (organization_id, delivery_id) REFERENCES deliveries(organization_id, id) ON DELETE CASCADE,
  constraint delivery_attempts_pkey PRIMARY KEY (delivery_id, attempt)
);

create table idempotency_keys (
  credential text not null,
  key text not null,
  fingerprint bytea not null,
  organization_id text not null,
  status integer,
  answer bytea,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_fingerprint_check CHECK ((length(fingerprint) = 32)),
  constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
  constraint idempotency_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint idempotency_keys_pkey PRIMARY KEY (credential, key)
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);

create table installation (
  only_one boolean not null default true,
  key_check text not null,
  created_at timestamp with time zone not null,
  constraint installation_only_one_check CHECK (only_one),
  constraint installation_pkey PRIMARY KEY (only_one)
);

create table moment_comments (
  id bigint not null generated always as identity,
  organization_id text not null,
  moment_id text not null,
  user_id text,
  text text not null,
  created_at timestamp with time zone not null,
  constraint moment_comments_text_check CHECK (((length(text) >= 1) AND (length(text) <= 10000))),
  constraint moment_comments_organization_id_moment_id_fkey FOREIGN KEY (organization_id, moment_id) REFERENCES moments(organization_id, id) ON DELETE CASCADE,
  constraint moment_comments_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE SET NULL (user_id),
  constraint moment_comments_pkey PRIMARY KEY (id)
);
CREATE INDEX moment_comments_moment ON public.moment_comments USING btree (moment_id, id);

create table moment_pages (
  organization_id text not null,
  moment_id text not null,
  page_id text not null,
  linked_by text,
  linked_at timestamp with time zone not null,
  constraint moment_pages_organization_id_linked_by_fkey FOREIGN KEY (organization_id, linked_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (linked_by),
  constraint moment_pages_organization_id_moment_id_fkey FOREIGN KEY (organization_id, moment_id) REFERENCES moments(organization_id, id) ON DELETE CASCADE,
  constraint moment_pages_organization_id_page_id_fkey FOREIGN KEY (organization_id, page_id) REFERENCES pages(organization_id, id) ON DELETE CASCADE,
  constraint moment_pages_pkey PRIMARY KEY (moment_id, page_id)
);
CREATE INDEX moment_pages_page ON public.moment_pages USING btree (page_id);

create table moments (
  id text not null,
  organization_id text not null,
  team_id text not null,
  webhook_id text,
  name text not null,
  type text not null,
  description text,
  priority text not null,
  source text,
  source_url text,
  occurred_at timestamp with time zone not null,
  state text not null,
  dedup_key text,
  last_event_at timestamp with time zone not null,
  acknowledged_at timestamp with time zone,
  resolved_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  acknowledged_by text,
  resolved_by text,
  search tsvector not null generated always as ((array_to_tsvector(ARRAY[('=type '::text || type), ('=priority '::text || priority), ('=source '::text || lower("left"(COALESCE(source, ''::text), 400)))]) || to_tsvector('simple'::regconfig, translate(((((name || ' '::text) || COALESCE(source, ''::text)) || ' '::text) || "left"(COALESCE(description, ''::text), 1000)), './\:@_=&?#%+~-'::text, '              '::text)))) stored,
  constraint moments_check CHECK (((state = 'resolved'::text) = (resolved_at IS NOT NULL))),
  constraint moments_id_check CHECK ((id ~~ 'moment\_%'::text)),
  constraint moments_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint moments_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text]))),
  constraint moments_state_check CHECK ((state = ANY (ARRAY['open'::text, 'acknowledged'::text, 'resolved'::text]))),
  constraint moments_type_check CHECK ((type = ANY (ARRAY['alert'::text, 'incident'::text, 'near-miss'::text, 'page'::text]))),
  constraint moments_organization_id_acknowledged_by_fkey FOREIGN KEY (organization_id, acknowledged_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (acknowledged_by),
  constraint moments_organization_id_resolved_by_fkey FOREIGN KEY (organization_id, resolved_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (resolved_by),
  constraint moments_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE,
  constraint moments_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id) ON DELETE SET NULL (webhook_id),
  constraint moments_pkey PRIMARY KEY (id),
  constraint moments_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE INDEX moments_dedup ON public.moments USING btree (webhook_id, dedup_key, id DESC) WHERE (dedup_key IS NOT NULL);
CREATE INDEX moments_occurred ON public.moments USING btree (occurred_at, organization_id);
CREATE UNIQUE INDEX moments_open ON public.moments USING btree (webhook_id, dedup_key) WHERE ((state <> 'resolved'::text) AND (dedup_key IS NOT NULL));
CREATE INDEX moments_search ON public.moments USING gin (search);
CREATE INDEX moments_team ON public.moments USING btree (team_id, id DESC);
CREATE INDEX moments_unresolved ON public.moments USING btree (organization_id, id DESC) WHERE (state <> 'resolved'::text);

create table nodes (
  id integer not null generated always as identity,
  role text not null,
  host text not null,
  pid integer not null,
  version text not null,
  started_at timestamp with time zone not null,
  stopped_at timestamp with time zone,
  constraint nodes_role_check CHECK ((role = ANY (ARRAY['all'::text, 'api'::text, 'worker'::text]))),
  constraint nodes_pkey PRIMARY KEY (id)
);

create table notification_moments (
  notification_id text not null,
  moment_id text not null,
  organization_id text not null,
  position integer not null,
  constraint notification_moments_organization_id_moment_id_fkey FOREIGN KEY (organization_id, moment_id) REFERENCES moments(organization_id, id) ON DELETE CASCADE,
  constraint notification_moments_organization_id_notification_id_fkey FOREIGN KEY (organization_id, notification_id) REFERENCES received_notifications(organization_id, id) ON DELETE CASCADE,
  constraint notification_moments_pkey PRIMARY KEY (notification_id, moment_id)
);
CREATE INDEX notification_moments_moment ON public.notification_moments USING btree (moment_id);

create table notification_rules (
  user_id text not null,
  organization_id text not null,
  urgency text not null,
  position integer not null,
  after_seconds integer not null,
  channels text[] not null,
  constraint notification_rules_after_seconds_check CHECK (((after_seconds >= 0) AND (after_seconds <= 86400))),
  constraint notification_rules_channels_check CHECK (((cardinality(channels) > 0) AND (channels <@ ARRAY['push'::text, 'sms'::text, 'voice'::text, 'chat'::text, 'email'::text, 'webhook'::text, 'browser'::text]))),
  constraint notification_rules_urgency_check CHECK ((urgency = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text]))),
  constraint notification_rules_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint notification_rules_pkey PRIMARY KEY (user_id, urgency, "position")
);

create table open_dashboards (
  organization_id text not null,
  user_id text not null,
  node integer not null,
  opened_at timestamp with time zone not null,
  constraint open_dashboards_node_fkey FOREIGN KEY (node) REFERENCES nodes(id) ON DELETE CASCADE,
  constraint open_dashboards_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint open_dashboards_pkey PRIMARY KEY (user_id, node)
);

create table organizations (
  id text not null,
  name text not null,
  time_zone text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint organizations_id_check CHECK ((id ~~ 'organization\_%'::text)),
  constraint organizations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint organizations_pkey PRIMARY KEY (id)
);

create table overrides (
  id text not null,
  organization_id text not null,
  schedule_id text not null,
  stage numeric not null,
  user_id text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  created_by text,
  created_at timestamp with time zone not null,
  constraint overrides_check CHECK ((ends_at > starts_at)),
  constraint overrides_id_check CHECK ((id ~~ 'override\_%'::text)),
  constraint overrides_organization_id_created_by_fkey FOREIGN KEY (organization_id, created_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (created_by),
  constraint overrides_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint overrides_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint overrides_pkey PRIMARY KEY (id),
  constraint overrides_schedule_id_stage_user_id_starts_at_ends_at_key UNIQUE (schedule_id, stage, user_id, starts_at, ends_at)
);

create table page_events (
  id bigint not null generated always as identity,
  organization_id text not null,
  page_id text not null,
  at timestamp with time zone not null,
  kind text not null,
  user_id text,
  data jsonb not null default '{}'::jsonb,
  constraint page_events_organization_id_page_id_fkey FOREIGN KEY (organization_id, page_id) REFERENCES pages(organization_id, id) ON DELETE CASCADE,
  constraint page_events_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE SET NULL (user_id),
  constraint page_events_pkey PRIMARY KEY (id)
);
CREATE INDEX page_events_page ON public.page_events USING btree (page_id, id);

create table page_steps (
  id bigint not null generated always as identity,
  organization_id text not null,
  page_id text not null,
  round integer not null,
  kind text not null,
  stage numeric,
  due_at timestamp with time zone not null,
  state text not null default 'due'::text,
  attempts integer not null default 0,
  done_at timestamp with time zone,
  constraint page_steps_check CHECK (((kind = 'stage'::text) OR (stage IS NULL))),
  constraint page_steps_check1 CHECK (((state = 'due'::text) = (done_at IS NULL))),
  constraint page_steps_kind_check CHECK ((kind = ANY (ARRAY['stage'::text, 'backstop'::text, 'person'::text, 'members'::text, 'expire'::text]))),
  constraint page_steps_state_check CHECK ((state = ANY (ARRAY['due'::text, 'done'::text, 'cancelled'::text]))),
  constraint page_steps_organization_id_page_id_fkey FOREIGN KEY (organization_id, page_id) REFERENCES pages(organization_id, id) ON DELETE CASCADE,
  constraint page_steps_pkey PRIMARY KEY (id),
  constraint page_steps_page_id_round_kind_stage_key UNIQUE NULLS NOT DISTINCT (page_id, round, kind, stage)
);
CREATE INDEX page_steps_due ON public.page_steps USING btree (due_at, id) WHERE (state = 'due'::text);

create table pages (
  id text not null,
  organization_id text not null,
  request_id text not null,
  kind text not null,
  team_id text,
  user_id text,
  title text not null,
  text text not null,
  source_url text,
  urgency text not null,
  state text not null,
  round integer not null default 1,
  reply_code text not null,
  raised_by text,
  created_at timestamp with time zone not null,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  acknowledged_via text,
  resolved_at timestamp with time zone,
  resolved_by text,
  expired_at timestamp with time zone,
  constraint pages_check CHECK (((kind = 'team'::text) = (team_id IS NOT NULL))),
  constraint pages_check1 CHECK (((kind = 'team'::text) OR (user_id IS NOT NULL))),
  constraint pages_check2 CHECK (((state <> 'acknowledged'::text) OR (acknowledged_at IS NOT NULL))),
  constraint pages_check3 CHECK (((state = 'resolved'::text) = (resolved_at IS NOT NULL))),
  constraint pages_check4 CHECK (((state <> 'expired'::text) OR (expired_at IS NOT NULL))),
  constraint pages_id_check CHECK ((id ~~ 'page\_%'::text)),
  constraint pages_kind_check CHECK ((kind = ANY (ARRAY['team'::text, 'person'::text]))),
  constraint pages_round_check CHECK ((round >= 1)),
  constraint pages_state_check CHECK ((state = ANY (ARRAY['notifying'::text, 'acknowledged'::text, 'resolved'::text, 'expired'::text]))),
  constraint pages_urgency_check CHECK ((urgency = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text]))),
  constraint pages_organization_id_acknowledged_by_fkey FOREIGN KEY (organization_id, acknowledged_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (acknowledged_by),
  constraint pages_organization_id_raised_by_fkey FOREIGN KEY (organization_id, raised_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (raised_by),
  constraint pages_organization_id_request_id_fkey FOREIGN KEY (organization_id, request_id) REFERENCES requests(organization_id, id) ON DELETE CASCADE,
  constraint pages_organization_id_resolved_by_fkey FOREIGN KEY (organization_id, resolved_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (resolved_by),
  constraint pages_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE,
  constraint pages_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint pages_pkey PRIMARY KEY (id),
  constraint pages_organization_id_id_key UNIQUE (organization_id, id),
  constraint pages_request_id_key UNIQUE (request_id)
);
CREATE INDEX pages_newest ON public.pages USING btree (organization_id, id DESC);
CREATE INDEX pages_open ON public.pages USING btree (organization_id, id DESC) WHERE (state = ANY (ARRAY['notifying'::text, 'acknowledged'::text]));

create table problems (
  id bigint not null generated always as identity,
  organization_id text,
  subject text not null,
  code text not null,
  message text not null,
  fix text not null,
  count bigint not null default 1,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint problems_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint problems_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX problems_open ON public.problems USING btree (organization_id, subject, code) NULLS NOT DISTINCT WHERE (closed_at IS NULL);

create table received_notifications (
  id text not null,
  organization_id text not null,
  webhook_id text not null,
  request_id text,
  integration text not null,
  headers jsonb not null,
  body bytea not null,
  state text not null,
  reason text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  processed_at timestamp with time zone,
  authentic boolean not null default true,
  constraint received_notifications_check CHECK (((state = 'queued'::text) = (processed_at IS NULL))),
  constraint received_notifications_check1 CHECK (((state = ANY (ARRAY['queued'::text, 'success'::text])) OR (reason IS NOT NULL))),
  constraint received_notifications_forged CHECK ((authentic OR (state = 'error'::text))),
  constraint received_notifications_id_check CHECK ((id ~~ 'notification\_%'::text)),
  constraint received_notifications_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'success'::text, 'error'::text, 'ignored'::text]))),
  constraint received_notifications_organization_id_request_id_fkey FOREIGN KEY (organization_id, request_id) REFERENCES requests(organization_id, id) ON DELETE CASCADE,
  constraint received_notifications_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE,
  constraint received_notifications_pkey PRIMARY KEY (id),
  constraint received_notifications_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE INDEX received_notifications_age ON public.received_notifications USING btree (received_at) WHERE (state <> 'queued'::text);
CREATE INDEX received_notifications_due ON public.received_notifications USING btree (due_at, id) WHERE (state = 'queued'::text);
CREATE INDEX received_notifications_newest ON public.received_notifications USING btree (webhook_id, id DESC);
CREATE INDEX received_notifications_request ON public.received_notifications USING btree (request_id);
CREATE INDEX received_notifications_unrecorded ON public.received_notifications USING btree (organization_id, state, id DESC) WHERE (state = ANY (ARRAY['error'::text, 'ignored'::text]));
CREATE INDEX received_notifications_webhook_unrecorded ON public.received_notifications USING btree (webhook_id, state, id DESC) WHERE (state = ANY (ARRAY['error'::text, 'ignored'::text]));

create table refused_pages (
  id text not null,
  organization_id text not null,
  user_id text not null,
  kind text not null,
  body jsonb not null,
  details jsonb not null,
  refused_at timestamp with time zone not null,
  constraint refused_pages_id_check CHECK ((id ~~ 'refused\_page\_%'::text)),
  constraint refused_pages_kind_check CHECK ((kind = ANY (ARRAY['page.team'::text, 'page.person'::text]))),
  constraint refused_pages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint refused_pages_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint refused_pages_pkey PRIMARY KEY (id)
);
CREATE INDEX refused_pages_newest ON public.refused_pages USING btree (organization_id, id DESC);

create table requests (
  id text not null,
  organization_id text not null,
  kind text not null,
  status text not null,
  message text not null,
  attempts integer not null default 0,
  errors jsonb not null default '[]'::jsonb,
  credential text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  next_attempt_at timestamp with time zone,
  constraint requests_attempts_check CHECK ((attempts >= 0)),
  constraint requests_check CHECK (((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
  constraint requests_check1 CHECK (((next_attempt_at IS NULL) OR (status = 'retrying'::text))),
  constraint requests_errors_check CHECK ((jsonb_typeof(errors) = 'array'::text)),
  constraint requests_id_check CHECK ((id ~~ 'request\_%'::text)),
  constraint requests_kind_check CHECK ((kind = ANY (ARRAY['page.team'::text, 'page.person'::text, 'moment'::text, 'webhook'::text]))),
  constraint requests_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'processing'::text, 'retrying'::text, 'succeeded'::text, 'failed'::text]))),
  constraint requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint requests_pkey PRIMARY KEY (id),
  constraint requests_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE INDEX requests_newest ON public.requests USING btree (organization_id, id DESC);

create table responders (
  id bigint not null generated always as identity,
  organization_id text not null,
  page_id text not null,
  user_id text not null,
  round integer not null,
  kind text not null,
  stage numeric,
  why jsonb not null,
  started_at timestamp with time zone not null,
  unreachable_at timestamp with time zone,
  constraint responders_kind_check CHECK ((kind = ANY (ARRAY['stage'::text, 'backstop'::text, 'person'::text, 'members'::text, 'added'::text, 'expired'::text]))),
  constraint responders_organization_id_page_id_fkey FOREIGN KEY (organization_id, page_id) REFERENCES pages(organization_id, id) ON DELETE CASCADE,
  constraint responders_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint responders_pkey PRIMARY KEY (id),
  constraint responders_organization_id_id_key UNIQUE (organization_id, id),
  constraint responders_page_id_user_id_round_kind_stage_key UNIQUE NULLS NOT DISTINCT (page_id, user_id, round, kind, stage)
);

create table schedule_stages (
  organization_id text not null,
  schedule_id text not null,
  stage numeric not null,
  escalate_after_seconds integer not null default 300,
  seats integer not null default 1,
  planned_members text[],
  constraint schedule_stages_escalate_after_seconds_check CHECK (((escalate_after_seconds >= 1) AND (escalate_after_seconds <= 604800))),
  constraint schedule_stages_seats_check CHECK (((seats >= 1) AND (seats <= 20))),
  constraint schedule_stages_stage_check CHECK ((stage >= (0)::numeric)),
  constraint schedule_stages_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint schedule_stages_pkey PRIMARY KEY (schedule_id, stage)
);

create table schedules (
  id text not null,
  organization_id text not null,
  team_id text not null,
  name text not null,
  description text,
  enabled boolean not null,
  time_zone text not null,
  backstop_user_id text,
  strategy text not null,
  pattern jsonb not null,
  rest_hours numeric not null default 0,
  cover text not null default 'propose'::text,
  plan_ahead_weeks integer not null default 12,
  planned_until timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint schedules_cover_check CHECK ((cover = ANY (ARRAY['propose'::text, 'apply'::text]))),
  constraint schedules_id_check CHECK ((id ~~ 'schedule\_%'::text)),
  constraint schedules_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint schedules_plan_ahead_weeks_check CHECK (((plan_ahead_weeks >= 1) AND (plan_ahead_weeks <= 104))),
  constraint schedules_rest_hours_check CHECK ((rest_hours >= (0)::numeric)),
  constraint schedules_strategy_check CHECK ((strategy = ANY (ARRAY['fair'::text, 'rotation'::text]))),
  constraint schedules_organization_id_backstop_user_id_fkey FOREIGN KEY (organization_id, backstop_user_id) REFERENCES users(organization_id, id) ON DELETE SET NULL (backstop_user_id),
  constraint schedules_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE,
  constraint schedules_pkey PRIMARY KEY (id),
  constraint schedules_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX schedules_name ON public.schedules USING btree (organization_id, name);
CREATE INDEX schedules_team ON public.schedules USING btree (team_id) WHERE enabled;

create table sessions (
  id_hash bytea not null,
  organization_id text not null,
  user_id text not null,
  user_agent text not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_seen_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint sessions_id_hash_check CHECK ((length(id_hash) = 32)),
  constraint sessions_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint sessions_pkey PRIMARY KEY (id_hash)
);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

create table shifts (
  id text not null,
  organization_id text not null,
  schedule_id text not null,
  stage numeric not null,
  seat integer not null default 1,
  user_id text,
  planned_user_id text,
  override_id text,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  planned_starts_at timestamp with time zone,
  planned_ends_at timestamp with time zone,
  reason jsonb,
  constraint shifts_check CHECK ((ends_at > starts_at)),
  constraint shifts_id_check CHECK ((id ~~ 'shift\_%'::text)),
  constraint shifts_planned_bounds CHECK ((planned_ends_at > planned_starts_at)),
  constraint shifts_planned_whole CHECK (((planned_starts_at IS NULL) = (planned_ends_at IS NULL))),
  constraint shifts_seat_check CHECK ((seat >= 1)),
  constraint shifts_organization_id_planned_user_id_fkey FOREIGN KEY (organization_id, planned_user_id) REFERENCES users(organization_id, id) ON DELETE SET NULL (planned_user_id),
  constraint shifts_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint shifts_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE SET NULL (user_id),
  constraint shifts_override_id_fkey FOREIGN KEY (override_id) REFERENCES overrides(id) ON DELETE SET NULL,
  constraint shifts_pkey PRIMARY KEY (id),
  constraint shifts_do_not_overlap EXCLUDE USING gist (schedule_id WITH =, stage WITH =, seat WITH =, tstzrange(starts_at, ends_at) WITH &&)
);
CREATE INDEX shifts_person ON public.shifts USING btree (user_id, starts_at);

create table sign_in_links (
  token_hash bytea not null,
  organization_id text not null,
  user_id text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint sign_in_links_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint sign_in_links_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint sign_in_links_pkey PRIMARY KEY (token_hash)
);

create table stage_members (
  organization_id text not null,
  schedule_id text not null,
  stage numeric not null,
  user_id text not null,
  position integer not null,
  joined_at timestamp with time zone,
  constraint stage_members_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint stage_members_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint stage_members_schedule_id_stage_fkey FOREIGN KEY (schedule_id, stage) REFERENCES schedule_stages(schedule_id, stage) ON DELETE CASCADE,
  constraint stage_members_pkey PRIMARY KEY (schedule_id, stage, user_id)
);

create table team_members (
  organization_id text not null,
  team_id text not null,
  user_id text not null,
  role text not null default 'member'::text,
  created_at timestamp with time zone not null,
  constraint team_members_role_check CHECK ((role = ANY (ARRAY['manager'::text, 'member'::text]))),
  constraint team_members_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE,
  constraint team_members_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint team_members_pkey PRIMARY KEY (team_id, user_id)
);
CREATE INDEX team_members_user ON public.team_members USING btree (user_id);

create table teams (
  id text not null,
  organization_id text not null,
  name text not null,
  slug text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint teams_id_check CHECK ((id ~~ 'team\_%'::text)),
  constraint teams_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint teams_slug_check CHECK (((length(slug) >= 1) AND (length(slug) <= 100))),
  constraint teams_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint teams_pkey PRIMARY KEY (id),
  constraint teams_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX teams_slug ON public.teams USING btree (organization_id, lower(slug));

create table users (
  id text not null,
  organization_id text not null,
  email text not null,
  name text not null,
  username text not null,
  role text not null,
  time_zone text not null,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint users_email_check CHECK (((email ~~ '%_@_%'::text) AND (length(email) <= 320))),
  constraint users_id_check CHECK ((id ~~ 'organization\_user\_%'::text)),
  constraint users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text]))),
  constraint users_username_check CHECK (((length(username) >= 1) AND (length(username) <= 100))),
  constraint users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX users_email ON public.users USING btree (organization_id, lower(email));
CREATE UNIQUE INDEX users_username ON public.users USING btree (organization_id, lower(username));

create table webhook_deliveries (
  webhook_id text not null,
  delivery_id text not null,
  notification_id text not null,
  received_at timestamp with time zone not null,
  constraint webhook_deliveries_delivery_id_check CHECK (((length(delivery_id) >= 1) AND (length(delivery_id) <= 255))),
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE,
  constraint webhook_deliveries_pkey PRIMARY KEY (webhook_id, delivery_id)
);
CREATE INDEX webhook_deliveries_age ON public.webhook_deliveries USING btree (received_at);

create table webhook_former_tokens (
  token_hash bytea not null,
  organization_id text not null,
  webhook_id text not null,
  ends_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint webhook_former_tokens_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint webhook_former_tokens_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE,
  constraint webhook_former_tokens_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX webhook_former_tokens_webhook ON public.webhook_former_tokens USING btree (webhook_id);

create table webhooks (
  id text not null,
  organization_id text not null,
  team_id text not null,
  name text not null,
  type text not null,
  token_hash bytea not null,
  token_sealed bytea not null,
  signing_secret_sealed bytea,
  settings jsonb not null default '{}'::jsonb,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_by text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint webhooks_id_check CHECK ((id ~~ 'webhook\_%'::text)),
  constraint webhooks_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint webhooks_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint webhooks_type_check CHECK (((length(type) >= 1) AND (length(type) <= 100))),
  constraint webhooks_organization_id_created_by_fkey FOREIGN KEY (organization_id, created_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (created_by),
  constraint webhooks_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_organization_id_id_key UNIQUE (organization_id, id),
  constraint webhooks_token_hash_key UNIQUE (token_hash)
);
CREATE UNIQUE INDEX webhooks_name ON public.webhooks USING btree (team_id, lower(name)) WHERE (revoked_at IS NULL);
CREATE INDEX webhooks_newest ON public.webhooks USING btree (organization_id, id DESC) WHERE (revoked_at IS NULL);
