-- What the migrations add up to. Written by `npm run schema`, compared by `npm run check`; do not edit.

create extension btree_gist;

create table accepting (
  one boolean not null default true,
  since timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  constraint accepting_one_check CHECK (one),
  constraint accepting_pkey PRIMARY KEY (one)
);

create table all_clears (
  id text not null,
  organization_id text not null,
  delivery_id text not null,
  user_id text not null,
  channel text not null,
  state text not null,
  due_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  attempts integer not null default 0,
  sent_at timestamp with time zone,
  carried_by text,
  error text,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint all_clears_check CHECK (((finished_at IS NULL) = (state = 'waiting'::text))),
  constraint all_clears_id_check CHECK ((id ~~ 'delivery\_%'::text)),
  constraint all_clears_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'cancelled'::text]))),
  constraint all_clears_organization_id_delivery_id_fkey FOREIGN KEY (organization_id, delivery_id) REFERENCES deliveries(organization_id, id) ON DELETE CASCADE,
  constraint all_clears_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint all_clears_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX all_clears_delivery ON public.all_clears USING btree (delivery_id);
CREATE INDEX all_clears_due ON public.all_clears USING btree (channel, due_at, id) WHERE (state = 'waiting'::text);
CREATE INDEX all_clears_sent ON public.all_clears USING btree (user_id, channel, sent_at);

create table announced (
  key text not null,
  announced_at timestamp with time zone not null,
  constraint announced_key_check CHECK (((length(key) >= 1) AND (length(key) <= 500))),
  constraint announced_pkey PRIMARY KEY (key)
);
CREATE INDEX announced_by_time ON public.announced USING btree (announced_at);

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
  full_access boolean not null default false,
  made_by text,
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
  private boolean not null default false,
  constraint availabilities_check CHECK ((ends_at > starts_at)),
  constraint availabilities_id_check CHECK ((id ~~ 'availability\_%'::text)),
  constraint availabilities_name_check CHECK ((length(name) <= 500)),
  constraint availabilities_type_check CHECK ((type = ANY (ARRAY['hard_unavailable'::text, 'soft_unavailable'::text, 'requested'::text]))),
  constraint availabilities_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint availabilities_pkey PRIMARY KEY (id),
  constraint availabilities_user_id_type_name_starts_at_ends_at_key UNIQUE (user_id, type, name, starts_at, ends_at)
);
CREATE INDEX availabilities_by_end ON public.availabilities USING btree (user_id, ends_at, starts_at);
CREATE TRIGGER availabilities_added AFTER INSERT ON public.availabilities REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_covers_of_people();
CREATE TRIGGER availabilities_moved AFTER UPDATE ON public.availabilities REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_covers_of_moved_people();
CREATE TRIGGER availabilities_removed AFTER DELETE ON public.availabilities REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_covers_of_people();

create table availability_source_records (
  source_id text not null,
  event text not null,
  availability_id text not null,
  constraint availability_source_records_event_check CHECK ((length(event) <= 1000)),
  constraint availability_source_records_availability_id_fkey FOREIGN KEY (availability_id) REFERENCES availabilities(id) ON DELETE CASCADE,
  constraint availability_source_records_source_id_fkey FOREIGN KEY (source_id) REFERENCES availability_sources(id) ON DELETE CASCADE,
  constraint availability_source_records_pkey PRIMARY KEY (source_id, event)
);
CREATE INDEX availability_source_records_by_record ON public.availability_source_records USING btree (availability_id);

create table availability_sources (
  id text not null,
  organization_id text not null,
  user_id text not null,
  name text not null,
  url_sealed bytea,
  host text,
  content text,
  type text not null,
  events text not null,
  words text[] not null default '{}'::text[],
  etag text,
  checked_at timestamp with time zone,
  succeeded_at timestamp with time zone,
  next_check_at timestamp with time zone not null,
  failures integer not null default 0,
  error text,
  truncated boolean not null default false,
  created_by text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  read_at timestamp with time zone,
  recurrence text,
  zone text,
  first_starts_at timestamp with time zone,
  first_ends_at timestamp with time zone,
  repeats_until timestamp with time zone,
  label text,
  skipped text[] not null default '{}'::text[],
  private boolean not null default false,
  constraint availability_sources_check CHECK (((url_sealed IS NULL) = (host IS NULL))),
  constraint availability_sources_check1 CHECK (((url_sealed IS NULL) = (content IS NOT NULL))),
  constraint availability_sources_events_check CHECK ((events = ANY (ARRAY['all'::text, 'busy'::text, 'words'::text]))),
  constraint availability_sources_failures_check CHECK ((failures >= 0)),
  constraint availability_sources_id_check CHECK ((id ~~ 'availability\_source\_%'::text)),
  constraint availability_sources_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint availability_sources_type_check CHECK ((type = ANY (ARRAY['hard_unavailable'::text, 'soft_unavailable'::text]))),
  constraint availability_sources_organization_id_created_by_fkey FOREIGN KEY (organization_id, created_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (created_by),
  constraint availability_sources_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint availability_sources_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint availability_sources_pkey PRIMARY KEY (id)
);
CREATE INDEX availability_sources_due ON public.availability_sources USING btree (next_check_at);
CREATE INDEX availability_sources_of_user ON public.availability_sources USING btree (organization_id, user_id);

create table calendar_feeds (
  id text not null,
  organization_id text not null,
  user_id text not null,
  kind text not null,
  team_id text,
  schedule_id text,
  token_hash bytea not null,
  token_sealed bytea not null,
  created_at timestamp with time zone not null,
  rotated_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint calendar_feeds_check CHECK (((kind = 'team'::text) = (team_id IS NOT NULL))),
  constraint calendar_feeds_check1 CHECK (((kind = 'schedule'::text) = (schedule_id IS NOT NULL))),
  constraint calendar_feeds_id_check CHECK ((id ~~ 'calendar\_feed\_%'::text)),
  constraint calendar_feeds_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'team'::text, 'schedule'::text]))),
  constraint calendar_feeds_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint calendar_feeds_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint calendar_feeds_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint calendar_feeds_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE,
  constraint calendar_feeds_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint calendar_feeds_pkey PRIMARY KEY (id),
  constraint calendar_feeds_token_hash_key UNIQUE (token_hash)
);
CREATE UNIQUE INDEX calendar_feeds_once ON public.calendar_feeds USING btree (user_id, kind, COALESCE(team_id, ''::text), COALESCE(schedule_id, ''::text));

create table challenges (
  hash bytea not null,
  purpose text not null,
  organization_id text,
  user_id text,
  data jsonb not null default '{}'::jsonb,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint challenges_hash_check CHECK ((length(hash) = 32)),
  constraint challenges_purpose_check CHECK ((purpose = ANY (ARRAY['passkey_new'::text, 'passkey'::text, 'second_factor'::text, 'one_time_codes'::text, 'oidc'::text, 'new_password'::text]))),
  constraint challenges_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint challenges_pkey PRIMARY KEY (hash)
);
CREATE INDEX challenges_expiry ON public.challenges USING btree (expires_at);
CREATE INDEX challenges_user ON public.challenges USING btree (user_id);

create table contact_method_codes (
  contact_method_id text not null,
  organization_id text not null,
  code_tag text not null,
  tries integer not null default 0,
  expires_at timestamp with time zone not null,
  constraint contact_method_codes_tries_check CHECK (((tries >= 0) AND (tries <= 5))),
  constraint contact_method_codes_organization_id_contact_method_id_fkey FOREIGN KEY (organization_id, contact_method_id) REFERENCES contact_methods(organization_id, id) ON DELETE CASCADE,
  constraint contact_method_codes_pkey PRIMARY KEY (contact_method_id)
);

create table contact_method_sends (
  id bigint not null generated always as identity,
  organization_id text not null,
  user_id text not null,
  type text not null,
  address text not null,
  at timestamp with time zone not null,
  constraint contact_method_sends_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint contact_method_sends_pkey PRIMARY KEY (id)
);
CREATE INDEX contact_method_sends_recent ON public.contact_method_sends USING btree (organization_id, at);

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
  notices boolean not null default true,
  proved_at timestamp with time zone,
  events text[] not null default '{}'::text[],
  constraint contact_methods_check1 CHECK (((type = 'push'::text) = (push_keys IS NOT NULL))),
  constraint contact_methods_id_check CHECK ((id ~~ 'contact\_method\_%'::text)),
  constraint contact_methods_value_check CHECK (((length(value) >= 1) AND (length(value) <= 2048))),
  constraint contact_methods_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint contact_methods_pkey PRIMARY KEY (id),
  constraint contact_methods_organization_id_id_key UNIQUE (organization_id, id),
  constraint contact_methods_user_id_type_value_key UNIQUE (user_id, type, value)
);
CREATE INDEX contact_methods_events ON public.contact_methods USING btree (organization_id) WHERE (events <> '{}'::text[]);

create table cover_checks (
  id bigint not null generated always as identity,
  user_id text,
  schedule_id text,
  constraint cover_checks_check CHECK ((num_nonnulls(user_id, schedule_id) = 1)),
  constraint cover_checks_pkey PRIMARY KEY (id)
);

create table covers (
  id text not null,
  organization_id text not null,
  schedule_id text not null,
  stage numeric not null,
  seat integer not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  user_id text not null,
  cause text not null,
  availability_id text,
  asked_by text,
  note text not null default ''::text,
  state text not null,
  proposal jsonb,
  declined_by text[] not null default '{}'::text[],
  taken_by text,
  decided_by text,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint covers_cause_check CHECK ((cause = ANY (ARRAY['absence'::text, 'asked'::text]))),
  constraint covers_check CHECK ((ends_at > starts_at)),
  constraint covers_check1 CHECK (((state = 'proposed'::text) <= (proposal IS NOT NULL))),
  constraint covers_id_check CHECK ((id ~~ 'cover\_%'::text)),
  constraint covers_note_check CHECK ((length(note) <= 1000)),
  constraint covers_seat_check CHECK ((seat >= 1)),
  constraint covers_state_check CHECK ((state = ANY (ARRAY['open'::text, 'proposed'::text, 'taken'::text, 'applied'::text, 'withdrawn'::text, 'expired'::text]))),
  constraint covers_availability_id_fkey FOREIGN KEY (availability_id) REFERENCES availabilities(id) ON DELETE SET NULL,
  constraint covers_organization_id_asked_by_fkey FOREIGN KEY (organization_id, asked_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (asked_by),
  constraint covers_organization_id_decided_by_fkey FOREIGN KEY (organization_id, decided_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (decided_by),
  constraint covers_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint covers_organization_id_taken_by_fkey FOREIGN KEY (organization_id, taken_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (taken_by),
  constraint covers_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint covers_pkey PRIMARY KEY (id),
  constraint covers_do_not_overlap EXCLUDE USING gist (schedule_id WITH =, stage WITH =, seat WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE ((state = ANY (ARRAY['open'::text, 'proposed'::text])))
);
CREATE INDEX covers_of_absence ON public.covers USING btree (availability_id) WHERE (availability_id IS NOT NULL);
CREATE INDEX covers_of_schedule ON public.covers USING btree (schedule_id, ends_at);
CREATE INDEX covers_waiting ON public.covers USING btree (organization_id, starts_at) WHERE (state = ANY (ARRAY['open'::text, 'proposed'::text]));

create table database_timelines (
  system text not null,
  timeline integer not null,
  seen_at timestamp with time zone not null,
  constraint database_timelines_pkey PRIMARY KEY (system, timeline)
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
  turn_of text not null default ''::text,
  turn_rank integer not null default 1,
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
CREATE INDEX deliveries_in_turn ON public.deliveries USING btree (organization_id, turn_of, turn_rank, due_at, id) WHERE (state = ANY (ARRAY['waiting'::text, 'retrying'::text]));
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

create table former_shifts (
  id bigint not null generated always as identity,
  organization_id text not null,
  user_id text not null,
  schedule_name text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  stage numeric,
  constraint former_shifts_check CHECK ((ends_at > starts_at)),
  constraint former_shifts_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint former_shifts_pkey PRIMARY KEY (id)
);
CREATE INDEX former_shifts_old ON public.former_shifts USING btree (ends_at);
CREATE INDEX former_shifts_person ON public.former_shifts USING btree (organization_id, user_id);
CREATE INDEX former_shifts_time ON public.former_shifts USING btree (organization_id, ends_at);

create table handoff_drafts (
  schedule_id text not null,
  organization_id text not null,
  text text not null,
  revision integer not null,
  written_by text,
  written_at timestamp with time zone not null,
  constraint handoff_drafts_text_check CHECK ((length(text) <= 10000)),
  constraint handoff_drafts_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint handoff_drafts_organization_id_written_by_fkey FOREIGN KEY (organization_id, written_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (written_by),
  constraint handoff_drafts_pkey PRIMARY KEY (schedule_id)
);
CREATE INDEX handoff_drafts_schedule ON public.handoff_drafts USING btree (organization_id, schedule_id);
CREATE INDEX handoff_drafts_writer ON public.handoff_drafts USING btree (organization_id, written_by);

create table handoff_notes (
  id text not null,
  organization_id text not null,
  schedule_id text not null,
  at timestamp with time zone not null,
  since timestamp with time zone not null,
  changes jsonb not null,
  text text not null default ''::text,
  written_by text,
  facts jsonb not null,
  created_at timestamp with time zone not null,
  constraint handoff_notes_check CHECK ((since < at)),
  constraint handoff_notes_id_check CHECK ((id ~~ 'handoff\_%'::text)),
  constraint handoff_notes_text_check CHECK ((length(text) <= 10000)),
  constraint handoff_notes_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint handoff_notes_organization_id_written_by_fkey FOREIGN KEY (organization_id, written_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (written_by),
  constraint handoff_notes_pkey PRIMARY KEY (id),
  constraint handoff_notes_schedule_id_at_key UNIQUE (schedule_id, at)
);
CREATE INDEX handoff_notes_created ON public.handoff_notes USING btree (created_at);
CREATE INDEX handoff_notes_schedule ON public.handoff_notes USING btree (organization_id, schedule_id);
CREATE INDEX handoff_notes_writer ON public.handoff_notes USING btree (organization_id, written_by);

create table holiday_calendars (
  id text not null,
  organization_id text not null,
  schedule_id text,
  name text not null,
  url text,
  etag text,
  checked_at timestamp with time zone,
  next_check_at timestamp with time zone,
  failures integer not null default 0,
  error text,
  created_by text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  country text,
  region text,
  constraint holiday_calendars_failures_check CHECK ((failures >= 0)),
  constraint holiday_calendars_id_check CHECK ((id ~~ 'holiday\_calendar\_%'::text)),
  constraint holiday_calendars_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint holiday_calendars_url_check CHECK ((length(url) <= 2048)),
  constraint holiday_calendars_organization_id_created_by_fkey FOREIGN KEY (organization_id, created_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (created_by),
  constraint holiday_calendars_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint holiday_calendars_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint holiday_calendars_pkey PRIMARY KEY (id)
);
CREATE INDEX holiday_calendars_due ON public.holiday_calendars USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX holiday_calendars_of_organization ON public.holiday_calendars USING btree (organization_id, schedule_id);

create table holidays (
  calendar_id text not null,
  date date not null,
  name text not null,
  constraint holidays_name_check CHECK ((length(name) <= 200)),
  constraint holidays_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES holiday_calendars(id) ON DELETE CASCADE,
  constraint holidays_pkey PRIMARY KEY (calendar_id, date)
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

create table inbound_answers (
  id bytea not null,
  reply text,
  answered_at timestamp with time zone not null,
  constraint inbound_answers_id_check CHECK ((length(id) = 32)),
  constraint inbound_answers_pkey PRIMARY KEY (id)
);
CREATE INDEX inbound_answers_age ON public.inbound_answers USING btree (answered_at);

create table installation (
  only_one boolean not null default true,
  key_check text not null,
  created_at timestamp with time zone not null,
  push_key text,
  source_pepper bytea,
  constraint installation_only_one_check CHECK (only_one),
  constraint installation_pkey PRIMARY KEY (only_one)
);

create table invitations (
  id text not null,
  organization_id text not null,
  email text not null,
  name text,
  role text not null,
  team_ids text[] not null,
  token_hash bytea not null,
  token bytea not null,
  invited_by text,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  accepted_by text,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint invitations_email_check CHECK (((email ~~ '%_@_%'::text) AND (length(email) <= 320))),
  constraint invitations_id_check CHECK ((id ~~ 'invitation\_%'::text)),
  constraint invitations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text]))),
  constraint invitations_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint invitations_organization_id_accepted_by_fkey FOREIGN KEY (organization_id, accepted_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (accepted_by),
  constraint invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint invitations_organization_id_invited_by_fkey FOREIGN KEY (organization_id, invited_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (invited_by),
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_token_hash_key UNIQUE (token_hash)
);
CREATE UNIQUE INDEX invitations_open ON public.invitations USING btree (organization_id, lower(email)) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));

create table lifeboat_answers (
  organization_id text not null,
  dedup_scope text not null,
  dedup_key text not null,
  action text not null,
  received_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  source jsonb,
  user_id text,
  constraint lifeboat_answers_action_check CHECK ((action = ANY (ARRAY['acknowledge'::text, 'unacknowledge'::text, 'resolve'::text]))),
  constraint lifeboat_answers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint lifeboat_answers_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE SET NULL (user_id),
  constraint lifeboat_answers_pkey PRIMARY KEY (organization_id, dedup_scope, dedup_key, action)
);

create table lifeboat_waiting (
  waiting_id bigint not null,
  request_id text not null,
  position integer not null,
  triggered_at timestamp with time zone not null,
  waiting jsonb not null,
  request jsonb not null,
  aboard boolean not null default false,
  constraint lifeboat_waiting_pkey PRIMARY KEY (waiting_id)
);
CREATE INDEX lifeboat_waiting_request ON public.lifeboat_waiting USING btree (request_id);

create table lifeboats (
  id text not null,
  host text not null,
  state text not null,
  copied_at timestamp with time zone,
  seen_at timestamp with time zone not null,
  constraint lifeboats_id_check CHECK ((id ~~ 'lifeboat\_%'::text)),
  constraint lifeboats_state_check CHECK ((state = ANY (ARRAY['ashore'::text, 'afloat'::text, 'landing'::text]))),
  constraint lifeboats_pkey PRIMARY KEY (id)
);

create table maintenance_windows (
  id text not null,
  organization_id text not null,
  team_id text not null,
  source_id text,
  name text not null,
  effect text not null,
  silence boolean not null,
  match text[] not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  first_starts_at timestamp with time zone not null,
  first_ends_at timestamp with time zone not null,
  recurrence text,
  zone text,
  repeats_until timestamp with time zone,
  created_by text,
  created_at timestamp with time zone not null,
  over_at timestamp with time zone,
  ended_by text,
  constraint maintenance_windows_check CHECK (((ends_at > starts_at) AND (first_ends_at > first_starts_at))),
  constraint maintenance_windows_check1 CHECK ((((recurrence IS NULL) = (zone IS NULL)) AND ((repeats_until IS NULL) OR (recurrence IS NOT NULL)))),
  constraint maintenance_windows_effect_check CHECK ((effect = ANY (ARRAY['hold'::text, 'record'::text]))),
  constraint maintenance_windows_id_check CHECK ((id ~~ 'window\_%'::text)),
  constraint maintenance_windows_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint maintenance_windows_organization_id_created_by_fkey FOREIGN KEY (organization_id, created_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (created_by),
  constraint maintenance_windows_organization_id_ended_by_fkey FOREIGN KEY (organization_id, ended_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (ended_by),
  constraint maintenance_windows_organization_id_source_id_fkey FOREIGN KEY (organization_id, source_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE,
  constraint maintenance_windows_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE,
  constraint maintenance_windows_pkey PRIMARY KEY (id),
  constraint maintenance_windows_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE INDEX maintenance_windows_current ON public.maintenance_windows USING btree (organization_id, starts_at) WHERE (over_at IS NULL);
CREATE INDEX maintenance_windows_ends ON public.maintenance_windows USING btree (ends_at) WHERE (over_at IS NULL);
CREATE UNIQUE INDEX maintenance_windows_name ON public.maintenance_windows USING btree (team_id, lower(name)) WHERE ((over_at IS NULL) AND (NOT silence));
CREATE INDEX maintenance_windows_over ON public.maintenance_windows USING btree (over_at) WHERE (over_at IS NOT NULL);
CREATE INDEX maintenance_windows_source ON public.maintenance_windows USING btree (organization_id, source_id) WHERE (source_id IS NOT NULL);
CREATE INDEX maintenance_windows_team ON public.maintenance_windows USING btree (organization_id, team_id, id DESC);

create table messages (
  id text not null,
  organization_id text not null,
  notice_id bigint,
  contact_method_id text,
  channel text not null,
  address text not null,
  subject text not null,
  text text not null,
  url text,
  dedup_key text,
  state text not null,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  provider_id text,
  error text,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  body jsonb,
  constraint messages_address_check CHECK (((length(address) >= 1) AND (length(address) <= 2048))),
  constraint messages_check CHECK (((state = 'sending'::text) = (lease_until IS NOT NULL))),
  constraint messages_check1 CHECK (((state = ANY (ARRAY['sent'::text, 'failed'::text, 'expired'::text])) = (finished_at IS NOT NULL))),
  constraint messages_dedup_key_check CHECK (((length(dedup_key) >= 1) AND (length(dedup_key) <= 300))),
  constraint messages_id_check CHECK ((id ~~ 'message\_%'::text)),
  constraint messages_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'expired'::text]))),
  constraint messages_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 300))),
  constraint messages_text_check CHECK ((length(text) <= 10000)),
  constraint messages_url_check CHECK ((length(url) <= 2048)),
  constraint messages_organization_id_contact_method_id_fkey FOREIGN KEY (organization_id, contact_method_id) REFERENCES contact_methods(organization_id, id) ON DELETE CASCADE,
  constraint messages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint messages_organization_id_notice_id_fkey FOREIGN KEY (organization_id, notice_id) REFERENCES notices(organization_id, id) ON DELETE CASCADE,
  constraint messages_pkey PRIMARY KEY (id)
);
CREATE INDEX messages_age ON public.messages USING btree (finished_at);
CREATE INDEX messages_events ON public.messages USING btree (contact_method_id) WHERE ((state = 'waiting'::text) AND (body IS NOT NULL));
CREATE INDEX messages_leased ON public.messages USING btree (lease_until) WHERE (state = 'sending'::text);
CREATE INDEX messages_method ON public.messages USING btree (contact_method_id);
CREATE INDEX messages_notice ON public.messages USING btree (notice_id);
CREATE UNIQUE INDEX messages_once ON public.messages USING btree (organization_id, channel, address, dedup_key) WHERE (dedup_key IS NOT NULL);
CREATE INDEX messages_waiting ON public.messages USING btree (due_at, id) WHERE (state = 'waiting'::text);

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

create table moment_ends (
  webhook_id text not null,
  dedup_key text not null,
  ended_at timestamp with time zone not null,
  noted_at timestamp with time zone not null,
  parts jsonb,
  constraint moment_ends_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE,
  constraint moment_ends_pkey PRIMARY KEY (webhook_id, dedup_key)
);
CREATE INDEX moment_ends_age ON public.moment_ends USING btree (noted_at);

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

create table moment_reopenings (
  id bigint not null generated always as identity,
  organization_id text not null,
  moment_id text not null,
  resolved_at timestamp with time zone not null,
  resolved_by text,
  reopened_at timestamp with time zone not null,
  reopened_by text,
  constraint moment_reopenings_organization_id_moment_id_fkey FOREIGN KEY (organization_id, moment_id) REFERENCES moments(organization_id, id) ON DELETE CASCADE,
  constraint moment_reopenings_organization_id_reopened_by_fkey FOREIGN KEY (organization_id, reopened_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (reopened_by),
  constraint moment_reopenings_organization_id_resolved_by_fkey FOREIGN KEY (organization_id, resolved_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (resolved_by),
  constraint moment_reopenings_pkey PRIMARY KEY (id)
);
CREATE INDEX moment_reopenings_moment ON public.moment_reopenings USING btree (moment_id, id);

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
  search tsvector,
  parts jsonb,
  acknowledged_as text,
  acknowledged_comment text,
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
CREATE INDEX moments_acknowledged ON public.moments USING btree (organization_id, id DESC) WHERE (state = 'acknowledged'::text);
CREATE INDEX moments_acknowledged_by ON public.moments USING btree (acknowledged_by, id DESC) WHERE (acknowledged_by IS NOT NULL);
CREATE INDEX moments_dedup ON public.moments USING btree (webhook_id, dedup_key, id DESC) WHERE (dedup_key IS NOT NULL);
CREATE INDEX moments_occurred ON public.moments USING btree (occurred_at, organization_id);
CREATE UNIQUE INDEX moments_open ON public.moments USING btree (webhook_id, dedup_key) WHERE ((state <> 'resolved'::text) AND (dedup_key IS NOT NULL));
CREATE INDEX moments_resolved_by ON public.moments USING btree (resolved_by, id DESC) WHERE (resolved_by IS NOT NULL);
CREATE INDEX moments_search ON public.moments USING gin (search);
CREATE INDEX moments_team ON public.moments USING btree (team_id, id);
CREATE INDEX moments_unresolved ON public.moments USING btree (organization_id, id DESC, state, team_id, webhook_id) WHERE (state <> 'resolved'::text);
CREATE INDEX moments_webhook ON public.moments USING btree (webhook_id, id) WHERE (webhook_id IS NOT NULL);
CREATE TRIGGER moments_changed_without_words BEFORE UPDATE OF type, priority, source, name, description ON public.moments FOR EACH ROW WHEN (((((((new.type IS DISTINCT FROM old.type) OR (new.priority IS DISTINCT FROM old.priority)) OR (new.source IS DISTINCT FROM old.source)) OR (new.name IS DISTINCT FROM old.name)) OR (new.description IS DISTINCT FROM old.description)) AND (NOT (new.search IS DISTINCT FROM old.search)))) EXECUTE FUNCTION words_of_moment();
CREATE TRIGGER moments_inserted_without_words BEFORE INSERT ON public.moments FOR EACH ROW WHEN ((new.search IS NULL)) EXECUTE FUNCTION words_of_moment();

create table nodes (
  id integer not null generated always as identity,
  role text not null,
  host text not null,
  pid integer not null,
  version text not null,
  started_at timestamp with time zone not null,
  stopped_at timestamp with time zone,
  seen_at timestamp with time zone,
  public_url text,
  pages_for_sources boolean not null default false,
  constraint nodes_role_check CHECK ((role = ANY (ARRAY['all'::text, 'api'::text, 'worker'::text]))),
  constraint nodes_pkey PRIMARY KEY (id)
);

create table notices (
  id bigint not null generated always as identity,
  organization_id text not null,
  user_id text not null,
  kind text not null,
  subject text not null,
  text text not null,
  path text,
  dedup_key text,
  read_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint notices_dedup_key_check CHECK (((length(dedup_key) >= 1) AND (length(dedup_key) <= 300))),
  constraint notices_kind_check CHECK (((kind ~ '^[a-z_]+(\.[a-z_]+)*$'::text) AND (length(kind) <= 100))),
  constraint notices_path_check CHECK (((path ~~ '/%'::text) AND (length(path) <= 1000))),
  constraint notices_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 300))),
  constraint notices_text_check CHECK ((length(text) <= 10000)),
  constraint notices_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint notices_pkey PRIMARY KEY (id),
  constraint notices_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE INDEX notices_age ON public.notices USING btree (created_at);
CREATE INDEX notices_newest ON public.notices USING btree (user_id, id DESC);
CREATE UNIQUE INDEX notices_once ON public.notices USING btree (user_id, dedup_key) WHERE (dedup_key IS NOT NULL);

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
  constraint notification_rules_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint notification_rules_pkey PRIMARY KEY (user_id, urgency, "position")
);

create table oidc_identities (
  issuer text not null,
  subject text not null,
  organization_id text not null,
  user_id text not null,
  created_at timestamp with time zone not null,
  constraint oidc_identities_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint oidc_identities_pkey PRIMARY KEY (issuer, subject)
);
CREATE INDEX oidc_identities_user ON public.oidc_identities USING btree (user_id);

create table one_time_codes (
  user_id text not null,
  organization_id text not null,
  secret bytea not null,
  last_step bigint not null,
  created_at timestamp with time zone not null,
  constraint one_time_codes_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint one_time_codes_pkey PRIMARY KEY (user_id)
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
CREATE INDEX open_dashboards_node ON public.open_dashboards USING btree (node);

create table organizations (
  id text not null,
  name text not null,
  time_zone text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  requires_two_factor boolean not null default false,
  hidden boolean not null default false,
  expired_pages_since timestamp with time zone not null default (now() - '7 days'::interval),
  language text not null default 'en'::text,
  constraint organizations_id_check CHECK ((id ~~ 'organization\_%'::text)),
  constraint organizations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint organizations_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX organizations_hidden ON public.organizations USING btree (hidden) WHERE hidden;

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
  seat integer,
  origin text not null default 'file'::text,
  cover_id text,
  swap_id text,
  constraint overrides_check CHECK ((ends_at > starts_at)),
  constraint overrides_id_check CHECK ((id ~~ 'override\_%'::text)),
  constraint overrides_origin_check CHECK ((origin = ANY (ARRAY['file'::text, 'hand'::text, 'cover'::text, 'swap'::text, 'hand_over'::text]))),
  constraint overrides_seat_check CHECK ((seat >= 1)),
  constraint overrides_cover_id_fkey FOREIGN KEY (cover_id) REFERENCES covers(id) ON DELETE SET NULL,
  constraint overrides_organization_id_created_by_fkey FOREIGN KEY (organization_id, created_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (created_by),
  constraint overrides_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint overrides_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint overrides_swap_id_fkey FOREIGN KEY (swap_id) REFERENCES swaps(id) ON DELETE SET NULL,
  constraint overrides_pkey PRIMARY KEY (id)
);
CREATE INDEX overrides_of_cover ON public.overrides USING btree (cover_id) WHERE (cover_id IS NOT NULL);
CREATE INDEX overrides_of_swap ON public.overrides USING btree (swap_id) WHERE (swap_id IS NOT NULL);
CREATE UNIQUE INDEX overrides_once ON public.overrides USING btree (schedule_id, stage, seat, user_id, starts_at, ends_at) NULLS NOT DISTINCT;

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

create table page_sources (
  id text not null,
  organization_id text not null,
  key_hash bytea,
  key_last4 text,
  settings jsonb not null default '{}'::jsonb,
  interval_minutes integer,
  last_beat_at timestamp with time zone,
  late_since timestamp with time zone,
  constraint page_sources_interval_minutes_check CHECK ((interval_minutes > 0)),
  constraint page_sources_key_hash_check CHECK ((length(key_hash) = 32)),
  constraint page_sources_organization_id_id_fkey FOREIGN KEY (organization_id, id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE,
  constraint page_sources_pkey PRIMARY KEY (id),
  constraint page_sources_key_hash_key UNIQUE (key_hash)
);
CREATE INDEX page_sources_heartbeats ON public.page_sources USING btree (id) WHERE (interval_minutes IS NOT NULL);

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
  may_repeat boolean not null default false,
  turn_of text not null default ''::text,
  turn_rank integer not null default 1,
  constraint page_steps_check CHECK (((kind = 'stage'::text) OR (stage IS NULL))),
  constraint page_steps_check1 CHECK (((state = 'due'::text) = (done_at IS NULL))),
  constraint page_steps_kind_check CHECK ((kind = ANY (ARRAY['stage'::text, 'backstop'::text, 'person'::text, 'members'::text, 'expire'::text]))),
  constraint page_steps_state_check CHECK ((state = ANY (ARRAY['due'::text, 'done'::text, 'cancelled'::text]))),
  constraint page_steps_organization_id_page_id_fkey FOREIGN KEY (organization_id, page_id) REFERENCES pages(organization_id, id) ON DELETE CASCADE,
  constraint page_steps_pkey PRIMARY KEY (id),
  constraint page_steps_page_id_round_kind_stage_key UNIQUE NULLS NOT DISTINCT (page_id, round, kind, stage)
);
CREATE INDEX page_steps_due ON public.page_steps USING btree (due_at, id) WHERE (state = 'due'::text);
CREATE INDEX page_steps_failed ON public.page_steps USING btree (due_at, id) WHERE ((state = 'due'::text) AND (attempts > 0));
CREATE INDEX page_steps_in_turn ON public.page_steps USING btree (organization_id, turn_of, turn_rank, due_at, id) WHERE (state = 'due'::text);

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
  last_round integer not null default 3,
  first_acknowledged_at timestamp with time zone,
  first_acknowledged_by text,
  remind_at timestamp with time zone,
  source_id text,
  dedup_scope text,
  dedup_key text,
  previous_page_id text,
  acknowledged_by_source text,
  acknowledged_as text,
  resolved_by_source text,
  resolved_as text,
  last_trigger_at timestamp with time zone,
  facts jsonb,
  ended_event_at timestamp with time zone,
  drill boolean not null default false,
  constraint pages_check CHECK (((kind = 'team'::text) = (team_id IS NOT NULL))),
  constraint pages_check1 CHECK (((kind = 'team'::text) OR (user_id IS NOT NULL))),
  constraint pages_check2 CHECK (((state <> 'acknowledged'::text) OR (acknowledged_at IS NOT NULL))),
  constraint pages_check3 CHECK (((state = 'resolved'::text) = (resolved_at IS NOT NULL))),
  constraint pages_check4 CHECK (((state <> 'expired'::text) OR (expired_at IS NOT NULL))),
  constraint pages_id_check CHECK ((id ~~ 'page\_%'::text)),
  constraint pages_kind_check CHECK ((kind = ANY (ARRAY['team'::text, 'person'::text]))),
  constraint pages_round_check CHECK ((round >= 1)),
  constraint pages_state_check CHECK ((state = ANY (ARRAY['notifying'::text, 'acknowledged'::text, 'resolved'::text, 'expired'::text]))),
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
CREATE INDEX pages_all_words ON public.pages USING gin (to_tsvector('simple'::regconfig, translate(((title || ' '::text) || text), './\:@_=&?#%+~-<>'::text, '                '::text))) WITH (fastupdate=off) WHERE (state = ANY (ARRAY['resolved'::text, 'expired'::text]));
CREATE INDEX pages_by_time ON public.pages USING btree (created_at, organization_id);
CREATE INDEX pages_expired ON public.pages USING btree (organization_id, id DESC) WHERE (state = 'expired'::text);
CREATE INDEX pages_key ON public.pages USING btree (organization_id, dedup_scope, dedup_key, id DESC) WHERE (dedup_key IS NOT NULL);
CREATE INDEX pages_open ON public.pages USING btree (organization_id, id DESC) WHERE (state = ANY (ARRAY['notifying'::text, 'acknowledged'::text]));
CREATE UNIQUE INDEX pages_open_key ON public.pages USING btree (organization_id, dedup_scope, dedup_key) WHERE ((dedup_key IS NOT NULL) AND (state = ANY (ARRAY['notifying'::text, 'acknowledged'::text])));
CREATE INDEX pages_source ON public.pages USING btree (source_id, id DESC) WHERE (source_id IS NOT NULL);
CREATE INDEX pages_team ON public.pages USING btree (team_id, id) WHERE (team_id IS NOT NULL);
CREATE INDEX pages_to_remind ON public.pages USING btree (remind_at) WHERE ((state = 'acknowledged'::text) AND (remind_at IS NOT NULL));
CREATE INDEX pages_unanswered ON public.pages USING btree (organization_id, expired_at) WHERE (state = 'expired'::text);

create table pages_again (
  organization_id text not null,
  page_id text not null,
  former_page_id text not null,
  raised_at timestamp with time zone not null,
  constraint pages_again_organization_id_former_page_id_fkey FOREIGN KEY (organization_id, former_page_id) REFERENCES pages(organization_id, id) ON DELETE CASCADE,
  constraint pages_again_organization_id_page_id_fkey FOREIGN KEY (organization_id, page_id) REFERENCES pages(organization_id, id) ON DELETE CASCADE,
  constraint pages_again_pkey PRIMARY KEY (page_id)
);
CREATE INDEX pages_again_former ON public.pages_again USING btree (former_page_id);

create table passkeys (
  id text not null,
  organization_id text not null,
  user_id text not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint passkeys_id_check CHECK ((id ~~ 'passkey\_%'::text)),
  constraint passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint passkeys_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id)
);
CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id);

create table passwords (
  user_id text not null,
  organization_id text not null,
  hash text not null,
  changed_at timestamp with time zone not null,
  constraint passwords_hash_check CHECK ((hash ~~ '$argon2id$%'::text)),
  constraint passwords_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint passwords_pkey PRIMARY KEY (user_id)
);

create table pay_holidays (
  organization_id text not null,
  table_id text not null,
  date date not null,
  name text not null,
  constraint pay_holidays_organization_id_table_id_fkey FOREIGN KEY (organization_id, table_id) REFERENCES pay_tables(organization_id, id) ON DELETE CASCADE,
  constraint pay_holidays_pkey PRIMARY KEY (table_id, date)
);
CREATE INDEX pay_holidays_table ON public.pay_holidays USING btree (organization_id, table_id);

create table pay_people (
  organization_id text not null,
  user_id text not null,
  valid_from date not null,
  table_id text,
  constraint pay_people_organization_id_table_id_fkey FOREIGN KEY (organization_id, table_id) REFERENCES pay_tables(organization_id, id),
  constraint pay_people_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint pay_people_pkey PRIMARY KEY (user_id, valid_from)
);
CREATE INDEX pay_people_person ON public.pay_people USING btree (organization_id, user_id);
CREATE INDEX pay_people_table ON public.pay_people USING btree (organization_id, table_id);

create table pay_periods (
  id text not null,
  organization_id text not null,
  first_day date not null,
  last_day date not null,
  state text not null default 'draft'::text,
  figures text,
  created_by text,
  created_at timestamp with time zone not null,
  checked_by text,
  checked_at timestamp with time zone,
  published_by text,
  published_at timestamp with time zone,
  constraint pay_periods_check CHECK ((last_day >= first_day)),
  constraint pay_periods_id_check CHECK ((id ~~ 'pay\_period\_%'::text)),
  constraint pay_periods_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'checked'::text, 'published'::text]))),
  constraint pay_periods_organization_id_checked_by_fkey FOREIGN KEY (organization_id, checked_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (checked_by),
  constraint pay_periods_organization_id_created_by_fkey FOREIGN KEY (organization_id, created_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (created_by),
  constraint pay_periods_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint pay_periods_organization_id_published_by_fkey FOREIGN KEY (organization_id, published_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (published_by),
  constraint pay_periods_pkey PRIMARY KEY (id),
  constraint pay_periods_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE INDEX pay_periods_checked ON public.pay_periods USING btree (checked_by, organization_id);
CREATE INDEX pay_periods_created ON public.pay_periods USING btree (created_by, organization_id);
CREATE UNIQUE INDEX pay_periods_first ON public.pay_periods USING btree (first_day, organization_id);
CREATE INDEX pay_periods_published ON public.pay_periods USING btree (published_by, organization_id);

create table pay_rates (
  organization_id text not null,
  table_id text not null,
  valid_from date not null,
  valid_until date,
  rates jsonb not null,
  constraint pay_rates_check CHECK ((valid_until >= valid_from)),
  constraint pay_rates_organization_id_table_id_fkey FOREIGN KEY (organization_id, table_id) REFERENCES pay_tables(organization_id, id) ON DELETE CASCADE,
  constraint pay_rates_pkey PRIMARY KEY (table_id, valid_from)
);
CREATE INDEX pay_rates_table ON public.pay_rates USING btree (organization_id, table_id);

create table pay_statements (
  organization_id text not null,
  period_id text not null,
  user_id text not null,
  table_id text not null,
  amount bigint not null,
  content jsonb not null,
  constraint pay_statements_organization_id_period_id_fkey FOREIGN KEY (organization_id, period_id) REFERENCES pay_periods(organization_id, id) ON DELETE CASCADE,
  constraint pay_statements_organization_id_table_id_fkey FOREIGN KEY (organization_id, table_id) REFERENCES pay_tables(organization_id, id),
  constraint pay_statements_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id),
  constraint pay_statements_pkey PRIMARY KEY (period_id, user_id, table_id)
);
CREATE INDEX pay_statements_period ON public.pay_statements USING btree (organization_id, period_id);
CREATE INDEX pay_statements_person ON public.pay_statements USING btree (organization_id, user_id);
CREATE INDEX pay_statements_table ON public.pay_statements USING btree (organization_id, table_id);

create table pay_tables (
  id text not null,
  organization_id text not null,
  name text not null,
  currency text not null,
  time_zone text not null,
  country text,
  region text,
  holiday_years jsonb not null default '[]'::jsonb,
  is_default boolean not null default false,
  created_at timestamp with time zone not null,
  constraint pay_tables_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint pay_tables_id_check CHECK ((id ~~ 'pay\_table\_%'::text)),
  constraint pay_tables_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint pay_tables_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint pay_tables_pkey PRIMARY KEY (id),
  constraint pay_tables_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX pay_tables_default ON public.pay_tables USING btree (organization_id) WHERE is_default;
CREATE UNIQUE INDEX pay_tables_name ON public.pay_tables USING btree (lower(name), organization_id);

create table plans (
  id text not null,
  organization_id text not null,
  schedule_id text not null,
  state text not null,
  freedom text not null,
  as_of timestamp with time zone not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  input_hash text,
  figures jsonb,
  shifts jsonb,
  progress jsonb,
  error text,
  leased_until timestamp with time zone,
  created_by text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  published_at timestamp with time zone,
  published_by text,
  constraint plans_check CHECK ((ends_at >= starts_at)),
  constraint plans_freedom_check CHECK ((freedom = ANY (ARRAY['keep'::text, 'fresh'::text]))),
  constraint plans_id_check CHECK ((id ~~ 'plan\_%'::text)),
  constraint plans_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'solving'::text, 'draft'::text, 'published'::text, 'discarded'::text, 'failed'::text]))),
  constraint plans_organization_id_created_by_fkey FOREIGN KEY (organization_id, created_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (created_by),
  constraint plans_organization_id_published_by_fkey FOREIGN KEY (organization_id, published_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (published_by),
  constraint plans_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint plans_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX plans_draft ON public.plans USING btree (schedule_id) WHERE (state = ANY (ARRAY['waiting'::text, 'solving'::text, 'draft'::text, 'failed'::text]));
CREATE INDEX plans_published ON public.plans USING btree (schedule_id, published_at DESC) WHERE (state = 'published'::text);
CREATE INDEX plans_to_solve ON public.plans USING btree (created_at) WHERE (state = ANY (ARRAY['waiting'::text, 'solving'::text]));

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
  last_address text,
  constraint problems_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint problems_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX problems_open ON public.problems USING btree (organization_id, subject, code) NULLS NOT DISTINCT WHERE (closed_at IS NULL);

create table providers (
  name text not null,
  sealed bytea not null,
  changed_at timestamp with time zone not null,
  changed_by text,
  constraint providers_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint providers_pkey PRIMARY KEY (name)
);

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
  body_bytes integer,
  pages boolean not null default false,
  may_repeat boolean not null default false,
  claimed_by integer,
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
CREATE INDEX received_notifications_in_order ON public.received_notifications USING btree (webhook_id, received_at, id) WHERE (state = 'queued'::text);
CREATE INDEX received_notifications_in_turn ON public.received_notifications USING btree (pages, organization_id, webhook_id, due_at, id) WHERE (state = 'queued'::text);
CREATE INDEX received_notifications_newest ON public.received_notifications USING btree (webhook_id, id);
CREATE INDEX received_notifications_paging ON public.received_notifications USING btree (due_at, id) WHERE ((state = 'queued'::text) AND pages);
CREATE INDEX received_notifications_request ON public.received_notifications USING btree (request_id);
CREATE INDEX received_notifications_unrecorded ON public.received_notifications USING btree (organization_id, state, id DESC) WHERE (state = ANY (ARRAY['error'::text, 'ignored'::text]));
CREATE INDEX received_notifications_webhook_unrecorded ON public.received_notifications USING btree (webhook_id, state, id DESC) WHERE (state = ANY (ARRAY['error'::text, 'ignored'::text]));

create table recovery_codes (
  user_id text not null,
  organization_id text not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_code_hash_check CHECK ((length(code_hash) = 32)),
  constraint recovery_codes_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash)
);

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

create table request_pages (
  request_id text not null,
  organization_id text not null,
  position integer not null,
  page_id text,
  action text not null,
  reason text,
  constraint request_pages_action_check CHECK ((action = ANY (ARRAY['raised'::text, 'updated'::text, 'acknowledged'::text, 'resolved'::text, 'waiting'::text, 'ignored'::text]))),
  constraint request_pages_organization_id_page_id_fkey FOREIGN KEY (organization_id, page_id) REFERENCES pages(organization_id, id) ON DELETE SET NULL (page_id),
  constraint request_pages_organization_id_request_id_fkey FOREIGN KEY (organization_id, request_id) REFERENCES requests(organization_id, id) ON DELETE CASCADE,
  constraint request_pages_pkey PRIMARY KEY (request_id, "position")
);
CREATE INDEX request_pages_page ON public.request_pages USING btree (page_id) WHERE (page_id IS NOT NULL);

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
  constraint requests_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'processing'::text, 'retrying'::text, 'succeeded'::text, 'failed'::text]))),
  constraint requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint requests_pkey PRIMARY KEY (id),
  constraint requests_organization_id_id_key UNIQUE (organization_id, id)
);

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
CREATE INDEX responders_by_time ON public.responders USING btree (started_at, organization_id);
CREATE INDEX responders_person ON public.responders USING btree (user_id, page_id);

create table saved_views (
  id text not null,
  organization_id text not null,
  team_id text not null,
  list text not null,
  name text not null,
  query text not null,
  created_by text,
  created_at timestamp with time zone not null,
  constraint saved_views_id_check CHECK ((id ~~ 'saved\_view\_%'::text)),
  constraint saved_views_list_check CHECK ((list = ANY (ARRAY['pages'::text, 'moments'::text]))),
  constraint saved_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint saved_views_query_check CHECK ((length(query) <= 2000)),
  constraint saved_views_organization_id_created_by_fkey FOREIGN KEY (organization_id, created_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (created_by),
  constraint saved_views_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE,
  constraint saved_views_pkey PRIMARY KEY (id)
);
CREATE INDEX saved_views_creator ON public.saved_views USING btree (organization_id, created_by);
CREATE UNIQUE INDEX saved_views_name ON public.saved_views USING btree (team_id, list, lower(name));
CREATE INDEX saved_views_team ON public.saved_views USING btree (organization_id, team_id);

create table schedule_stages (
  organization_id text not null,
  schedule_id text not null,
  stage numeric not null,
  escalate_after_seconds integer not null default 300,
  seats integer not null default 1,
  planned_members text[],
  layers jsonb,
  planned_layers jsonb,
  linked_schedule_id text,
  linked_stage numeric,
  constraint schedule_stages_escalate_after_seconds_check CHECK (((escalate_after_seconds >= 1) AND (escalate_after_seconds <= 604800))),
  constraint schedule_stages_seats_check CHECK (((seats >= 1) AND (seats <= 20))),
  constraint schedule_stages_stage_check CHECK ((stage >= (0)::numeric)),
  constraint schedule_stages_linked_schedule_id_fkey FOREIGN KEY (linked_schedule_id) REFERENCES schedules(id) ON DELETE SET NULL,
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
  settled text,
  planning jsonb,
  holiday_use text not null default 'weight'::text,
  replan_since timestamp with time zone,
  acknowledge_timeout_minutes integer not null default 30,
  ask_again_medium_minutes integer not null default 0,
  ask_again_low_minutes integer not null default 0,
  rounds integer not null default 3,
  disabled_since timestamp with time zone not null default now(),
  disabled_times tstzmultirange not null default '{}'::tstzmultirange,
  constraint schedules_cover_check CHECK ((cover = ANY (ARRAY['propose'::text, 'apply'::text]))),
  constraint schedules_holiday_use_check CHECK ((holiday_use = ANY (ARRAY['weight'::text, 'uncovered'::text]))),
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
CREATE UNIQUE INDEX schedules_name ON public.schedules USING btree (name, organization_id);
CREATE INDEX schedules_team ON public.schedules USING btree (team_id) WHERE enabled;
CREATE INDEX schedules_to_replan ON public.schedules USING btree (replan_since) WHERE (replan_since IS NOT NULL);
CREATE TRIGGER schedules_cover_otherwise AFTER UPDATE OF cover, enabled ON public.schedules FOR EACH ROW WHEN (((old.cover <> new.cover) OR (old.enabled <> new.enabled))) EXECUTE FUNCTION check_covers_of_schedule();
CREATE TRIGGER schedules_disabled_at_first BEFORE INSERT ON public.schedules FOR EACH ROW WHEN ((NOT new.enabled)) EXECUTE FUNCTION note_disabled_times();
CREATE TRIGGER schedules_enabled_or_disabled BEFORE UPDATE OF enabled ON public.schedules FOR EACH ROW WHEN ((old.enabled <> new.enabled)) EXECUTE FUNCTION note_disabled_times();

create table sessions (
  id_hash bytea not null,
  organization_id text not null,
  user_id text not null,
  user_agent text not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_seen_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  id text not null,
  method text not null,
  place text not null,
  confirmed_at timestamp with time zone not null,
  constraint sessions_id_check CHECK ((id ~~ 'session\_%'::text)),
  constraint sessions_id_hash_check CHECK ((length(id_hash) = 32)),
  constraint sessions_method_check CHECK ((method = ANY (ARRAY['link'::text, 'password'::text, 'passkey'::text, 'oidc'::text, 'invitation'::text, 'first_run'::text]))),
  constraint sessions_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint sessions_pkey PRIMARY KEY (id_hash),
  constraint sessions_id_key UNIQUE (id)
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
CREATE INDEX shifts_by_start ON public.shifts USING btree (starts_at);
CREATE INDEX shifts_covered ON public.shifts USING btree (planned_user_id, starts_at) WHERE (planned_user_id IS DISTINCT FROM user_id);
CREATE INDEX shifts_gaps ON public.shifts USING btree (starts_at) WHERE (user_id IS NULL);
CREATE INDEX shifts_of_override ON public.shifts USING btree (override_id) WHERE (override_id IS NOT NULL);
CREATE INDEX shifts_person ON public.shifts USING btree (user_id, starts_at);
CREATE TRIGGER shifts_added AFTER INSERT ON public.shifts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_covers_of_schedules();
CREATE TRIGGER shifts_moved AFTER UPDATE ON public.shifts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_covers_of_schedules();
CREATE TRIGGER shifts_removed AFTER DELETE ON public.shifts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_covers_of_schedules();

create table sign_in_attempts (
  subject bytea not null,
  failures integer not null,
  last_at timestamp with time zone not null,
  blocked_until timestamp with time zone,
  constraint sign_in_attempts_failures_check CHECK ((failures >= 0)),
  constraint sign_in_attempts_subject_check CHECK ((length(subject) = 32)),
  constraint sign_in_attempts_pkey PRIMARY KEY (subject)
);
CREATE INDEX sign_in_attempts_age ON public.sign_in_attempts USING btree (last_at);

create table sign_in_links (
  token_hash bytea not null,
  organization_id text not null,
  user_id text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  made_by text,
  without_second_factor boolean not null default false,
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
  shares_from timestamp with time zone,
  constraint stage_members_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint stage_members_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint stage_members_schedule_id_stage_fkey FOREIGN KEY (schedule_id, stage) REFERENCES schedule_stages(schedule_id, stage) ON DELETE CASCADE,
  constraint stage_members_pkey PRIMARY KEY (schedule_id, stage, user_id)
);

create table swaps (
  id text not null,
  organization_id text not null,
  asked_by text not null,
  asked_of text not null,
  note text not null default ''::text,
  state text not null,
  given_schedule_id text not null,
  given_stage numeric not null,
  given_seat integer not null,
  given_starts_at timestamp with time zone not null,
  given_ends_at timestamp with time zone not null,
  given_by text not null,
  wanted_schedule_id text not null,
  wanted_stage numeric not null,
  wanted_seat integer not null,
  wanted_starts_at timestamp with time zone not null,
  wanted_ends_at timestamp with time zone not null,
  decided_by text,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint swaps_check CHECK ((given_ends_at > given_starts_at)),
  constraint swaps_check1 CHECK ((wanted_ends_at > wanted_starts_at)),
  constraint swaps_id_check CHECK ((id ~~ 'swap\_%'::text)),
  constraint swaps_note_check CHECK ((length(note) <= 1000)),
  constraint swaps_state_check CHECK ((state = ANY (ARRAY['proposed'::text, 'accepted'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text]))),
  constraint swaps_organization_id_asked_by_fkey FOREIGN KEY (organization_id, asked_by) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint swaps_organization_id_asked_of_fkey FOREIGN KEY (organization_id, asked_of) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint swaps_organization_id_decided_by_fkey FOREIGN KEY (organization_id, decided_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (decided_by),
  constraint swaps_organization_id_given_by_fkey FOREIGN KEY (organization_id, given_by) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint swaps_organization_id_given_schedule_id_fkey FOREIGN KEY (organization_id, given_schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint swaps_organization_id_wanted_schedule_id_fkey FOREIGN KEY (organization_id, wanted_schedule_id) REFERENCES schedules(organization_id, id) ON DELETE CASCADE,
  constraint swaps_pkey PRIMARY KEY (id)
);
CREATE INDEX swaps_of_asker ON public.swaps USING btree (asked_by, state);
CREATE INDEX swaps_of_person ON public.swaps USING btree (asked_of, state);

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
CREATE UNIQUE INDEX teams_slug ON public.teams USING btree (lower(slug), organization_id);

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
  sleep_from integer,
  sleep_until integer,
  email_proved_at timestamp with time zone,
  access_since timestamp with time zone,
  twelve_hour_clock boolean,
  language text,
  constraint users_email_check CHECK (((email ~~ '%_@_%'::text) AND (length(email) <= 320))),
  constraint users_id_check CHECK ((id ~~ 'organization\_user\_%'::text)),
  constraint users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text]))),
  constraint users_sleep_from_check CHECK (((sleep_from >= 0) AND (sleep_from <= 1439))),
  constraint users_sleep_until_check CHECK (((sleep_until >= 0) AND (sleep_until <= 1439))),
  constraint users_sleep_whole CHECK ((((sleep_from IS NULL) = (sleep_until IS NULL)) AND (sleep_from <> sleep_until))),
  constraint users_username_check CHECK (((length(username) >= 1) AND (length(username) <= 100))),
  constraint users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email), organization_id);
CREATE UNIQUE INDEX users_username ON public.users USING btree (lower(username), organization_id);

create table waiting_pages (
  id bigint not null generated always as identity,
  organization_id text not null,
  source_id text not null,
  dedup_key text,
  request_id text,
  position integer not null,
  event jsonb not null,
  reason text not null,
  due_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  triggered_at timestamp with time zone,
  lifeboat text,
  may_repeat boolean not null default false,
  constraint waiting_pages_organization_id_request_id_fkey FOREIGN KEY (organization_id, request_id) REFERENCES requests(organization_id, id) ON DELETE SET NULL (request_id),
  constraint waiting_pages_organization_id_source_id_fkey FOREIGN KEY (organization_id, source_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE,
  constraint waiting_pages_pkey PRIMARY KEY (id)
);
CREATE INDEX waiting_pages_due ON public.waiting_pages USING btree (due_at);
CREATE UNIQUE INDEX waiting_pages_key ON public.waiting_pages USING btree (source_id, dedup_key);
CREATE INDEX waiting_pages_request ON public.waiting_pages USING btree (request_id);

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
  pages boolean not null default false,
  constraint webhooks_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint webhooks_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint webhooks_type_check CHECK (((length(type) >= 1) AND (length(type) <= 100))),
  constraint webhooks_organization_id_created_by_fkey FOREIGN KEY (organization_id, created_by) REFERENCES users(organization_id, id) ON DELETE SET NULL (created_by),
  constraint webhooks_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_organization_id_id_key UNIQUE (organization_id, id),
  constraint webhooks_token_hash_key UNIQUE (token_hash)
);
CREATE UNIQUE INDEX webhooks_name_by_kind ON public.webhooks USING btree (team_id, pages, lower(name)) WHERE (revoked_at IS NULL);
CREATE INDEX webhooks_newest ON public.webhooks USING btree (organization_id, id DESC) WHERE (revoked_at IS NULL);

create table window_events (
  window_id text not null,
  organization_id text not null,
  starts_at timestamp with time zone not null,
  source_id text not null,
  subject text not null,
  title text not null,
  events integer not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint window_events_events_check CHECK ((events > 0)),
  constraint window_events_organization_id_source_id_fkey FOREIGN KEY (organization_id, source_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE,
  constraint window_events_organization_id_window_id_fkey FOREIGN KEY (organization_id, window_id) REFERENCES maintenance_windows(organization_id, id) ON DELETE CASCADE,
  constraint window_events_pkey PRIMARY KEY (window_id, starts_at, source_id, subject)
);
CREATE INDEX window_events_last ON public.window_events USING btree (last_at);
CREATE INDEX window_events_source ON public.window_events USING btree (organization_id, source_id);

CREATE OR REPLACE FUNCTION public.check_covers_of_moved_people()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into cover_checks (user_id)
  select user_id from changed where type = 'hard_unavailable'
  union select user_id from former where type = 'hard_unavailable';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_covers_of_people()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into cover_checks (user_id)
  select distinct user_id from changed where type = 'hard_unavailable';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_covers_of_schedule()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into cover_checks (schedule_id) values (new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_covers_of_schedules()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into cover_checks (schedule_id) select distinct schedule_id from changed;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_disabled_times()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not new.enabled then
    new.disabled_since := new.updated_at;
  else
    new.disabled_times := old.disabled_times
      + tstzmultirange(tstzrange(least(old.disabled_since, new.updated_at), new.updated_at));
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.words_of_moment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.search := array_to_tsvector(array['=type ' || new.type, '=priority ' || new.priority, '=source ' || lower(left(coalesce(new.source, ''), 400))])
    || to_tsvector('simple', translate(
      new.name || ' ' || coalesce(new.source, '') || ' ' || left(coalesce(new.description, ''), 1000),
      './\:@_=&?#%+~-', '              '));
  return new;
end $function$;
