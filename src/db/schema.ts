// Types of the migrated schema. Written by `npm run schema`, compared by `npm run check`; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ChannelName, MethodType } from '../notifications/channels/contract.ts';
import type { Urgency } from '../pages/urgency-contract.ts';
import type { RequestKind } from '../requests/contract.ts';

/** Read as parsed JSON, written as JSON text. */
export type Json = ColumnType<unknown, string, string>;
export type JsonWithDefault = ColumnType<unknown, string | undefined, string>;

export type Accepting = {
  one: Generated<boolean>;
  since: Temporal.Instant;
  seen_at: Temporal.Instant;
};

export type AllClears = {
  id: string;
  organization_id: string;
  delivery_id: string;
  user_id: string;
  channel: ChannelName;
  state: 'waiting' | 'sent' | 'failed' | 'cancelled';
  due_at: Temporal.Instant;
  expires_at: Temporal.Instant;
  attempts: Generated<number>;
  sent_at: Temporal.Instant | null;
  carried_by: string | null;
  error: string | null;
  created_at: Temporal.Instant;
  finished_at: Temporal.Instant | null;
};

export type Announced = {
  key: string;
  announced_at: Temporal.Instant;
};

export type ApiKeys = {
  id: string;
  organization_id: string;
  user_id: string;
  name: string;
  key_hash: Buffer;
  hint: string;
  scopes: string[] | null;
  expires_at: Temporal.Instant | null;
  revoked_at: Temporal.Instant | null;
  last_used_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
  full_access: Generated<boolean>;
  made_by: string | null;
};

export type AuditLog = {
  id: GeneratedAlways<number>;
  organization_id: string;
  at: Temporal.Instant;
  user_id: string | null;
  action: string;
  subject: string;
  data: JsonWithDefault;
};

export type Availabilities = {
  id: string;
  organization_id: string;
  user_id: string;
  type: 'hard_unavailable' | 'soft_unavailable' | 'requested';
  name: Generated<string>;
  starts_at: Temporal.Instant;
  ends_at: Temporal.Instant;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  private: Generated<boolean>;
};

export type AvailabilitySourceRecords = {
  source_id: string;
  event: string;
  availability_id: string;
};

export type AvailabilitySources = {
  id: string;
  organization_id: string;
  user_id: string;
  name: string;
  url_sealed: Buffer | null;
  host: string | null;
  content: string | null;
  type: 'hard_unavailable' | 'soft_unavailable';
  events: 'all' | 'busy' | 'words';
  words: Generated<string[]>;
  etag: string | null;
  checked_at: Temporal.Instant | null;
  succeeded_at: Temporal.Instant | null;
  next_check_at: Temporal.Instant;
  failures: Generated<number>;
  error: string | null;
  truncated: Generated<boolean>;
  created_by: string | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  read_at: Temporal.Instant | null;
  recurrence: string | null;
  zone: string | null;
  first_starts_at: Temporal.Instant | null;
  first_ends_at: Temporal.Instant | null;
  repeats_until: Temporal.Instant | null;
  label: string | null;
  skipped: Generated<string[]>;
  private: Generated<boolean>;
};

export type CalendarFeeds = {
  id: string;
  organization_id: string;
  user_id: string;
  kind: 'person' | 'team' | 'schedule';
  team_id: string | null;
  schedule_id: string | null;
  token_hash: Buffer;
  token_sealed: Buffer;
  created_at: Temporal.Instant;
  rotated_at: Temporal.Instant | null;
  last_used_at: Temporal.Instant | null;
};

export type Challenges = {
  hash: Buffer;
  purpose: 'passkey_new' | 'passkey' | 'second_factor' | 'one_time_codes' | 'oidc' | 'new_password';
  organization_id: string | null;
  user_id: string | null;
  data: JsonWithDefault;
  expires_at: Temporal.Instant;
  created_at: Temporal.Instant;
};

export type ContactMethodCodes = {
  contact_method_id: string;
  organization_id: string;
  code_tag: string;
  tries: Generated<number>;
  expires_at: Temporal.Instant;
};

export type ContactMethodSends = {
  id: GeneratedAlways<number>;
  organization_id: string;
  user_id: string;
  type: MethodType;
  address: string;
  at: Temporal.Instant;
};

export type ContactMethods = {
  id: string;
  organization_id: string;
  user_id: string;
  position: number;
  type: MethodType;
  value: string;
  chat_user_id: string | null;
  push_keys: ColumnType<unknown, string | null, string | null>;
  signing_secret: Buffer | null;
  verified_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  notices: Generated<boolean>;
  proved_at: Temporal.Instant | null;
  events: Generated<string[]>;
};

export type CoverChecks = {
  id: GeneratedAlways<number>;
  user_id: string | null;
  schedule_id: string | null;
};

export type Covers = {
  id: string;
  organization_id: string;
  schedule_id: string;
  stage: number;
  seat: number;
  starts_at: Temporal.Instant;
  ends_at: Temporal.Instant;
  user_id: string;
  cause: 'absence' | 'asked';
  availability_id: string | null;
  asked_by: string | null;
  note: Generated<string>;
  state: 'open' | 'proposed' | 'taken' | 'applied' | 'withdrawn' | 'expired';
  proposal: ColumnType<unknown, string | null, string | null>;
  declined_by: Generated<string[]>;
  taken_by: string | null;
  decided_by: string | null;
  decided_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
};

export type DatabaseTimelines = {
  system: string;
  timeline: number;
  seen_at: Temporal.Instant;
};

export type Deliveries = {
  id: string;
  organization_id: string;
  page_id: string;
  responder_id: number;
  user_id: string;
  contact_method_id: string | null;
  type: 'page.notification' | 'page.expired';
  channel: ChannelName;
  address: string;
  rule: number;
  state: 'waiting' | 'sending' | 'retrying' | 'accepted' | 'delivered' | 'failed' | 'cancelled' | 'bundled';
  due_at: Temporal.Instant;
  attempts: Generated<number>;
  failures: Generated<number>;
  lease_owner: number | null;
  lease_until: Temporal.Instant | null;
  repeat: Generated<boolean>;
  bundled_into: string | null;
  provider_id: string | null;
  receipt: string | null;
  receipt_at: Temporal.Instant | null;
  error: string | null;
  sent_at: Temporal.Instant | null;
  held: Generated<boolean>;
  accepted_at: Temporal.Instant | null;
  finished_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
  turn_of: Generated<string>;
  turn_rank: Generated<number>;
};

export type DeliveryAttempts = {
  delivery_id: string;
  attempt: number;
  organization_id: string;
  node: number;
  begun_at: Temporal.Instant;
  ended_at: Temporal.Instant | null;
  outcome: 'accepted' | 'refused' | 'retry' | 'unknown' | null;
  provider_id: string | null;
  error: string | null;
};

export type FormerShifts = {
  id: GeneratedAlways<number>;
  organization_id: string;
  user_id: string;
  schedule_name: string;
  starts_at: Temporal.Instant;
  ends_at: Temporal.Instant;
  stage: number | null;
};

export type HandoffDrafts = {
  schedule_id: string;
  organization_id: string;
  text: string;
  revision: number;
  written_by: string | null;
  written_at: Temporal.Instant;
};

export type HandoffNotes = {
  id: string;
  organization_id: string;
  schedule_id: string;
  at: Temporal.Instant;
  since: Temporal.Instant;
  changes: Json;
  text: Generated<string>;
  written_by: string | null;
  facts: Json;
  created_at: Temporal.Instant;
};

export type HolidayCalendars = {
  id: string;
  organization_id: string;
  schedule_id: string | null;
  name: string;
  url: string | null;
  etag: string | null;
  checked_at: Temporal.Instant | null;
  next_check_at: Temporal.Instant | null;
  failures: Generated<number>;
  error: string | null;
  created_by: string | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  country: string | null;
  region: string | null;
};

export type Holidays = {
  calendar_id: string;
  date: string;
  name: string;
};

export type IdempotencyKeys = {
  credential: string;
  key: string;
  fingerprint: Buffer;
  organization_id: string;
  status: number | null;
  answer: Buffer | null;
  created_at: Temporal.Instant;
};

export type InboundAnswers = {
  id: Buffer;
  reply: string | null;
  answered_at: Temporal.Instant;
};

export type Installation = {
  only_one: Generated<boolean>;
  key_check: string;
  created_at: Temporal.Instant;
  push_key: string | null;
  source_pepper: Buffer | null;
};

export type Invitations = {
  id: string;
  organization_id: string;
  email: string;
  name: string | null;
  role: 'owner' | 'admin' | 'member';
  team_ids: string[];
  token_hash: Buffer;
  token: Buffer;
  invited_by: string | null;
  expires_at: Temporal.Instant;
  accepted_at: Temporal.Instant | null;
  accepted_by: string | null;
  revoked_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
};

export type LifeboatAnswers = {
  organization_id: string;
  dedup_scope: string;
  dedup_key: string;
  action: 'acknowledge' | 'unacknowledge' | 'resolve';
  received_at: Temporal.Instant;
  sent_at: Temporal.Instant | null;
  source: ColumnType<unknown, string | null, string | null>;
  user_id: string | null;
};

export type LifeboatWaiting = {
  waiting_id: number;
  request_id: string;
  position: number;
  triggered_at: Temporal.Instant;
  waiting: Json;
  request: Json;
  aboard: Generated<boolean>;
};

export type Lifeboats = {
  id: string;
  host: string;
  state: 'ashore' | 'afloat' | 'landing';
  copied_at: Temporal.Instant | null;
  seen_at: Temporal.Instant;
};

export type MaintenanceWindows = {
  id: string;
  organization_id: string;
  team_id: string;
  source_id: string | null;
  name: string;
  effect: 'hold' | 'record';
  silence: boolean;
  match: string[];
  starts_at: Temporal.Instant;
  ends_at: Temporal.Instant;
  first_starts_at: Temporal.Instant;
  first_ends_at: Temporal.Instant;
  recurrence: string | null;
  zone: string | null;
  repeats_until: Temporal.Instant | null;
  created_by: string | null;
  created_at: Temporal.Instant;
  over_at: Temporal.Instant | null;
  ended_by: string | null;
};

export type Messages = {
  id: string;
  organization_id: string;
  notice_id: number | null;
  contact_method_id: string | null;
  channel: Exclude<ChannelName, 'browser'>;
  address: string;
  subject: string;
  text: string;
  url: string | null;
  dedup_key: string | null;
  state: 'waiting' | 'sending' | 'sent' | 'failed' | 'expired';
  attempts: Generated<number>;
  due_at: Temporal.Instant;
  expires_at: Temporal.Instant;
  lease_until: Temporal.Instant | null;
  provider_id: string | null;
  error: string | null;
  created_at: Temporal.Instant;
  finished_at: Temporal.Instant | null;
  body: ColumnType<unknown, string | null, string | null>;
};

export type MomentComments = {
  id: GeneratedAlways<number>;
  organization_id: string;
  moment_id: string;
  user_id: string | null;
  text: string;
  created_at: Temporal.Instant;
};

export type MomentEnds = {
  webhook_id: string;
  dedup_key: string;
  ended_at: Temporal.Instant;
  noted_at: Temporal.Instant;
  parts: ColumnType<unknown, string | null, string | null>;
};

export type MomentPages = {
  organization_id: string;
  moment_id: string;
  page_id: string;
  linked_by: string | null;
  linked_at: Temporal.Instant;
};

export type MomentReopenings = {
  id: GeneratedAlways<number>;
  organization_id: string;
  moment_id: string;
  resolved_at: Temporal.Instant;
  resolved_by: string | null;
  reopened_at: Temporal.Instant;
  reopened_by: string | null;
};

export type Moments = {
  id: string;
  organization_id: string;
  team_id: string;
  webhook_id: string | null;
  name: string;
  type: 'alert' | 'incident' | 'near-miss' | 'page';
  description: string | null;
  priority: 'low' | 'medium' | 'high';
  source: string | null;
  source_url: string | null;
  occurred_at: Temporal.Instant;
  state: 'open' | 'acknowledged' | 'resolved';
  dedup_key: string | null;
  last_event_at: Temporal.Instant;
  acknowledged_at: Temporal.Instant | null;
  resolved_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  acknowledged_by: string | null;
  resolved_by: string | null;
  search: string | null;
  parts: ColumnType<unknown, string | null, string | null>;
  acknowledged_as: string | null;
  acknowledged_comment: string | null;
};

export type Nodes = {
  id: GeneratedAlways<number>;
  role: 'all' | 'api' | 'worker';
  host: string;
  pid: number;
  version: string;
  started_at: Temporal.Instant;
  stopped_at: Temporal.Instant | null;
  seen_at: Temporal.Instant | null;
  public_url: string | null;
  pages_for_sources: Generated<boolean>;
};

export type Notices = {
  id: GeneratedAlways<number>;
  organization_id: string;
  user_id: string;
  kind: string;
  subject: string;
  text: string;
  path: string | null;
  dedup_key: string | null;
  read_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
};

export type NotificationMoments = {
  notification_id: string;
  moment_id: string;
  organization_id: string;
  position: number;
};

export type NotificationRules = {
  user_id: string;
  organization_id: string;
  urgency: Urgency;
  position: number;
  after_seconds: number;
  channels: ChannelName[];
};

export type OidcIdentities = {
  issuer: string;
  subject: string;
  organization_id: string;
  user_id: string;
  created_at: Temporal.Instant;
};

export type OneTimeCodes = {
  user_id: string;
  organization_id: string;
  secret: Buffer;
  last_step: number;
  created_at: Temporal.Instant;
};

export type OpenDashboards = {
  organization_id: string;
  user_id: string;
  node: number;
  opened_at: Temporal.Instant;
};

export type Organizations = {
  id: string;
  name: string;
  time_zone: string;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  requires_two_factor: Generated<boolean>;
  hidden: Generated<boolean>;
  expired_pages_since: Generated<Temporal.Instant>;
  language: Generated<string>;
};

export type Overrides = {
  id: string;
  organization_id: string;
  schedule_id: string;
  stage: number;
  user_id: string;
  starts_at: Temporal.Instant;
  ends_at: Temporal.Instant;
  created_by: string | null;
  created_at: Temporal.Instant;
  seat: number | null;
  origin: Generated<'file' | 'hand' | 'cover' | 'swap' | 'hand_over'>;
  cover_id: string | null;
  swap_id: string | null;
};

export type PageEvents = {
  id: GeneratedAlways<number>;
  organization_id: string;
  page_id: string;
  at: Temporal.Instant;
  kind: string;
  user_id: string | null;
  data: JsonWithDefault;
};

export type PageSources = {
  id: string;
  organization_id: string;
  key_hash: Buffer | null;
  key_last4: string | null;
  settings: JsonWithDefault;
  interval_minutes: number | null;
  last_beat_at: Temporal.Instant | null;
  late_since: Temporal.Instant | null;
};

export type PageSteps = {
  id: GeneratedAlways<number>;
  organization_id: string;
  page_id: string;
  round: number;
  kind: 'stage' | 'backstop' | 'person' | 'members' | 'expire';
  stage: number | null;
  due_at: Temporal.Instant;
  state: Generated<'due' | 'done' | 'cancelled'>;
  attempts: Generated<number>;
  done_at: Temporal.Instant | null;
  may_repeat: Generated<boolean>;
  turn_of: Generated<string>;
  turn_rank: Generated<number>;
};

export type Pages = {
  id: string;
  organization_id: string;
  request_id: string;
  kind: 'team' | 'person';
  team_id: string | null;
  user_id: string | null;
  title: string;
  text: string;
  source_url: string | null;
  urgency: Urgency;
  state: 'notifying' | 'acknowledged' | 'resolved' | 'expired';
  round: Generated<number>;
  reply_code: string;
  raised_by: string | null;
  created_at: Temporal.Instant;
  acknowledged_at: Temporal.Instant | null;
  acknowledged_by: string | null;
  acknowledged_via: string | null;
  resolved_at: Temporal.Instant | null;
  resolved_by: string | null;
  expired_at: Temporal.Instant | null;
  last_round: Generated<number>;
  first_acknowledged_at: Temporal.Instant | null;
  first_acknowledged_by: string | null;
  remind_at: Temporal.Instant | null;
  source_id: string | null;
  dedup_scope: string | null;
  dedup_key: string | null;
  previous_page_id: string | null;
  acknowledged_by_source: string | null;
  acknowledged_as: string | null;
  resolved_by_source: string | null;
  resolved_as: string | null;
  last_trigger_at: Temporal.Instant | null;
  facts: ColumnType<unknown, string | null, string | null>;
  ended_event_at: Temporal.Instant | null;
  drill: Generated<boolean>;
};

export type PagesAgain = {
  organization_id: string;
  page_id: string;
  former_page_id: string;
  raised_at: Temporal.Instant;
};

export type Passkeys = {
  id: string;
  organization_id: string;
  user_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  last_used_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
};

export type Passwords = {
  user_id: string;
  organization_id: string;
  hash: string;
  changed_at: Temporal.Instant;
};

export type PayHolidays = {
  organization_id: string;
  table_id: string;
  date: string;
  name: string;
};

export type PayPeople = {
  organization_id: string;
  user_id: string;
  valid_from: string;
  table_id: string | null;
};

export type PayPeriods = {
  id: string;
  organization_id: string;
  first_day: string;
  last_day: string;
  state: Generated<'draft' | 'checked' | 'published'>;
  figures: string | null;
  created_by: string | null;
  created_at: Temporal.Instant;
  checked_by: string | null;
  checked_at: Temporal.Instant | null;
  published_by: string | null;
  published_at: Temporal.Instant | null;
};

export type PayRates = {
  organization_id: string;
  table_id: string;
  valid_from: string;
  valid_until: string | null;
  rates: Json;
};

export type PayStatements = {
  organization_id: string;
  period_id: string;
  user_id: string;
  table_id: string;
  amount: number;
  content: Json;
};

export type PayTables = {
  id: string;
  organization_id: string;
  name: string;
  currency: string;
  time_zone: string;
  country: string | null;
  region: string | null;
  holiday_years: JsonWithDefault;
  is_default: Generated<boolean>;
  created_at: Temporal.Instant;
};

export type Plans = {
  id: string;
  organization_id: string;
  schedule_id: string;
  state: 'waiting' | 'solving' | 'draft' | 'published' | 'discarded' | 'failed';
  freedom: 'keep' | 'fresh';
  as_of: Temporal.Instant;
  starts_at: Temporal.Instant;
  ends_at: Temporal.Instant;
  input_hash: string | null;
  figures: ColumnType<unknown, string | null, string | null>;
  shifts: ColumnType<unknown, string | null, string | null>;
  progress: ColumnType<unknown, string | null, string | null>;
  error: string | null;
  leased_until: Temporal.Instant | null;
  created_by: string | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  published_at: Temporal.Instant | null;
  published_by: string | null;
};

export type Problems = {
  id: GeneratedAlways<number>;
  organization_id: string | null;
  subject: string;
  code: string;
  message: string;
  fix: string;
  count: Generated<number>;
  first_at: Temporal.Instant;
  last_at: Temporal.Instant;
  closed_at: Temporal.Instant | null;
  last_address: string | null;
};

export type Providers = {
  name: string;
  sealed: Buffer;
  changed_at: Temporal.Instant;
  changed_by: string | null;
};

export type ReceivedNotifications = {
  id: string;
  organization_id: string;
  webhook_id: string;
  request_id: string | null;
  integration: string;
  headers: Json;
  body: Buffer;
  state: 'queued' | 'success' | 'error' | 'ignored';
  reason: string | null;
  attempts: Generated<number>;
  due_at: Temporal.Instant;
  received_at: Temporal.Instant;
  processed_at: Temporal.Instant | null;
  authentic: Generated<boolean>;
  body_bytes: number | null;
  pages: Generated<boolean>;
  may_repeat: Generated<boolean>;
  claimed_by: number | null;
};

export type RecoveryCodes = {
  user_id: string;
  organization_id: string;
  code_hash: Buffer;
  used_at: Temporal.Instant | null;
};

export type RefusedPages = {
  id: string;
  organization_id: string;
  user_id: string;
  kind: 'page.team' | 'page.person';
  body: Json;
  details: Json;
  refused_at: Temporal.Instant;
};

export type RequestPages = {
  request_id: string;
  organization_id: string;
  position: number;
  page_id: string | null;
  action: 'raised' | 'updated' | 'acknowledged' | 'resolved' | 'waiting' | 'ignored';
  reason: string | null;
};

export type Requests = {
  id: string;
  organization_id: string;
  kind: RequestKind;
  status: 'queued' | 'processing' | 'retrying' | 'succeeded' | 'failed';
  message: string;
  attempts: Generated<number>;
  errors: JsonWithDefault;
  credential: string;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  finished_at: Temporal.Instant | null;
  next_attempt_at: Temporal.Instant | null;
};

export type Responders = {
  id: GeneratedAlways<number>;
  organization_id: string;
  page_id: string;
  user_id: string;
  round: number;
  kind: 'stage' | 'backstop' | 'person' | 'members' | 'added' | 'expired';
  stage: number | null;
  why: Json;
  started_at: Temporal.Instant;
  unreachable_at: Temporal.Instant | null;
};

export type SavedViews = {
  id: string;
  organization_id: string;
  team_id: string;
  list: 'pages' | 'moments';
  name: string;
  query: string;
  created_by: string | null;
  created_at: Temporal.Instant;
};

export type ScheduleStages = {
  organization_id: string;
  schedule_id: string;
  stage: number;
  escalate_after_seconds: Generated<number>;
  seats: Generated<number>;
  planned_members: string[] | null;
  layers: ColumnType<unknown, string | null, string | null>;
  planned_layers: ColumnType<unknown, string | null, string | null>;
  linked_schedule_id: string | null;
  linked_stage: number | null;
};

export type Schedules = {
  id: string;
  organization_id: string;
  team_id: string;
  name: string;
  description: string | null;
  enabled: boolean;
  time_zone: string;
  backstop_user_id: string | null;
  strategy: 'fair' | 'rotation';
  pattern: Json;
  rest_hours: Generated<number>;
  cover: Generated<'propose' | 'apply'>;
  plan_ahead_weeks: Generated<number>;
  planned_until: Temporal.Instant | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  settled: string | null;
  planning: ColumnType<unknown, string | null, string | null>;
  holiday_use: Generated<'weight' | 'uncovered'>;
  replan_since: Temporal.Instant | null;
  acknowledge_timeout_minutes: Generated<number>;
  ask_again_medium_minutes: Generated<number>;
  ask_again_low_minutes: Generated<number>;
  rounds: Generated<number>;
  disabled_since: Generated<Temporal.Instant>;
  disabled_times: Generated<string>;
};

export type Sessions = {
  id_hash: Buffer;
  organization_id: string;
  user_id: string;
  user_agent: string;
  expires_at: Temporal.Instant;
  revoked_at: Temporal.Instant | null;
  last_seen_at: Temporal.Instant;
  created_at: Temporal.Instant;
  id: string;
  method: 'link' | 'password' | 'passkey' | 'oidc' | 'invitation' | 'first_run';
  place: string;
  confirmed_at: Temporal.Instant;
};

export type Shifts = {
  id: string;
  organization_id: string;
  schedule_id: string;
  stage: number;
  seat: Generated<number>;
  user_id: string | null;
  planned_user_id: string | null;
  override_id: string | null;
  starts_at: Temporal.Instant;
  ends_at: Temporal.Instant;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  planned_starts_at: Temporal.Instant | null;
  planned_ends_at: Temporal.Instant | null;
  reason: ColumnType<unknown, string | null, string | null>;
};

export type SignInAttempts = {
  subject: Buffer;
  failures: number;
  last_at: Temporal.Instant;
  blocked_until: Temporal.Instant | null;
};

export type SignInLinks = {
  token_hash: Buffer;
  organization_id: string;
  user_id: string;
  expires_at: Temporal.Instant;
  used_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
  made_by: string | null;
  without_second_factor: Generated<boolean>;
};

export type StageMembers = {
  organization_id: string;
  schedule_id: string;
  stage: number;
  user_id: string;
  position: number;
  joined_at: Temporal.Instant | null;
  shares_from: Temporal.Instant | null;
};

export type Swaps = {
  id: string;
  organization_id: string;
  asked_by: string;
  asked_of: string;
  note: Generated<string>;
  state: 'proposed' | 'accepted' | 'declined' | 'withdrawn' | 'expired';
  given_schedule_id: string;
  given_stage: number;
  given_seat: number;
  given_starts_at: Temporal.Instant;
  given_ends_at: Temporal.Instant;
  given_by: string;
  wanted_schedule_id: string;
  wanted_stage: number;
  wanted_seat: number;
  wanted_starts_at: Temporal.Instant;
  wanted_ends_at: Temporal.Instant;
  decided_by: string | null;
  decided_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
};

export type TeamMembers = {
  organization_id: string;
  team_id: string;
  user_id: string;
  role: Generated<'manager' | 'member'>;
  created_at: Temporal.Instant;
};

export type Teams = {
  id: string;
  organization_id: string;
  name: string;
  slug: string;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
};

export type Users = {
  id: string;
  organization_id: string;
  email: string;
  name: string;
  username: string;
  role: 'owner' | 'admin' | 'member';
  time_zone: string;
  disabled_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  sleep_from: number | null;
  sleep_until: number | null;
  email_proved_at: Temporal.Instant | null;
  access_since: Temporal.Instant | null;
  twelve_hour_clock: boolean | null;
  language: string | null;
};

export type WaitingPages = {
  id: GeneratedAlways<number>;
  organization_id: string;
  source_id: string;
  dedup_key: string | null;
  request_id: string | null;
  position: number;
  event: Json;
  reason: string;
  due_at: Temporal.Instant;
  created_at: Temporal.Instant;
  triggered_at: Temporal.Instant | null;
  lifeboat: string | null;
  may_repeat: Generated<boolean>;
};

export type WebhookDeliveries = {
  webhook_id: string;
  delivery_id: string;
  notification_id: string;
  received_at: Temporal.Instant;
};

export type WebhookFormerTokens = {
  token_hash: Buffer;
  organization_id: string;
  webhook_id: string;
  ends_at: Temporal.Instant;
  last_used_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
};

export type Webhooks = {
  id: string;
  organization_id: string;
  team_id: string;
  name: string;
  type: string;
  token_hash: Buffer;
  token_sealed: Buffer;
  signing_secret_sealed: Buffer | null;
  settings: JsonWithDefault;
  expires_at: Temporal.Instant | null;
  revoked_at: Temporal.Instant | null;
  last_used_at: Temporal.Instant | null;
  created_by: string | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  pages: Generated<boolean>;
};

export type WindowEvents = {
  window_id: string;
  organization_id: string;
  starts_at: Temporal.Instant;
  source_id: string;
  subject: string;
  title: string;
  events: number;
  first_at: Temporal.Instant;
  last_at: Temporal.Instant;
};

export type DB = {
  accepting: Accepting;
  all_clears: AllClears;
  announced: Announced;
  api_keys: ApiKeys;
  audit_log: AuditLog;
  availabilities: Availabilities;
  availability_source_records: AvailabilitySourceRecords;
  availability_sources: AvailabilitySources;
  calendar_feeds: CalendarFeeds;
  challenges: Challenges;
  contact_method_codes: ContactMethodCodes;
  contact_method_sends: ContactMethodSends;
  contact_methods: ContactMethods;
  cover_checks: CoverChecks;
  covers: Covers;
  database_timelines: DatabaseTimelines;
  deliveries: Deliveries;
  delivery_attempts: DeliveryAttempts;
  former_shifts: FormerShifts;
  handoff_drafts: HandoffDrafts;
  handoff_notes: HandoffNotes;
  holiday_calendars: HolidayCalendars;
  holidays: Holidays;
  idempotency_keys: IdempotencyKeys;
  inbound_answers: InboundAnswers;
  installation: Installation;
  invitations: Invitations;
  lifeboat_answers: LifeboatAnswers;
  lifeboat_waiting: LifeboatWaiting;
  lifeboats: Lifeboats;
  maintenance_windows: MaintenanceWindows;
  messages: Messages;
  moment_comments: MomentComments;
  moment_ends: MomentEnds;
  moment_pages: MomentPages;
  moment_reopenings: MomentReopenings;
  moments: Moments;
  nodes: Nodes;
  notices: Notices;
  notification_moments: NotificationMoments;
  notification_rules: NotificationRules;
  oidc_identities: OidcIdentities;
  one_time_codes: OneTimeCodes;
  open_dashboards: OpenDashboards;
  organizations: Organizations;
  overrides: Overrides;
  page_events: PageEvents;
  page_sources: PageSources;
  page_steps: PageSteps;
  pages: Pages;
  pages_again: PagesAgain;
  passkeys: Passkeys;
  passwords: Passwords;
  pay_holidays: PayHolidays;
  pay_people: PayPeople;
  pay_periods: PayPeriods;
  pay_rates: PayRates;
  pay_statements: PayStatements;
  pay_tables: PayTables;
  plans: Plans;
  problems: Problems;
  providers: Providers;
  received_notifications: ReceivedNotifications;
  recovery_codes: RecoveryCodes;
  refused_pages: RefusedPages;
  request_pages: RequestPages;
  requests: Requests;
  responders: Responders;
  saved_views: SavedViews;
  schedule_stages: ScheduleStages;
  schedules: Schedules;
  sessions: Sessions;
  shifts: Shifts;
  sign_in_attempts: SignInAttempts;
  sign_in_links: SignInLinks;
  stage_members: StageMembers;
  swaps: Swaps;
  team_members: TeamMembers;
  teams: Teams;
  users: Users;
  waiting_pages: WaitingPages;
  webhook_deliveries: WebhookDeliveries;
  webhook_former_tokens: WebhookFormerTokens;
  webhooks: Webhooks;
  window_events: WindowEvents;
};
