// Types of the migrated schema. Written by `npm run schema`, compared by `npm run check`; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Read as parsed JSON, written as JSON text. */
export type Json = ColumnType<unknown, string, string>;
export type JsonWithDefault = ColumnType<unknown, string | undefined, string>;

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
};

export type ContactMethods = {
  id: string;
  organization_id: string;
  user_id: string;
  position: number;
  type: 'phone' | 'email' | 'chat' | 'webhook' | 'push';
  value: string;
  chat_user_id: string | null;
  push_keys: ColumnType<unknown, string | null, string | null>;
  signing_secret: Buffer | null;
  verified_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
};

export type Deliveries = {
  id: string;
  organization_id: string;
  page_id: string;
  responder_id: number;
  user_id: string;
  contact_method_id: string | null;
  type: 'page.notification' | 'page.expired';
  channel: 'push' | 'sms' | 'voice' | 'chat' | 'email' | 'webhook' | 'browser';
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

export type IdempotencyKeys = {
  credential: string;
  key: string;
  fingerprint: Buffer;
  organization_id: string;
  status: number | null;
  answer: Buffer | null;
  created_at: Temporal.Instant;
};

export type Installation = {
  only_one: Generated<boolean>;
  key_check: string;
  created_at: Temporal.Instant;
};

export type MomentComments = {
  id: GeneratedAlways<number>;
  organization_id: string;
  moment_id: string;
  user_id: string | null;
  text: string;
  created_at: Temporal.Instant;
};

export type MomentPages = {
  organization_id: string;
  moment_id: string;
  page_id: string;
  linked_by: string | null;
  linked_at: Temporal.Instant;
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
  search: GeneratedAlways<string>;
};

export type Nodes = {
  id: GeneratedAlways<number>;
  role: 'all' | 'api' | 'worker';
  host: string;
  pid: number;
  version: string;
  started_at: Temporal.Instant;
  stopped_at: Temporal.Instant | null;
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
  urgency: 'low' | 'medium' | 'high';
  position: number;
  after_seconds: number;
  channels: string[];
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
  urgency: 'low' | 'medium' | 'high';
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

export type Requests = {
  id: string;
  organization_id: string;
  kind: 'page.team' | 'page.person' | 'moment' | 'webhook';
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

export type ScheduleStages = {
  organization_id: string;
  schedule_id: string;
  stage: number;
  escalate_after_seconds: Generated<number>;
  seats: Generated<number>;
  planned_members: string[] | null;
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

export type SignInLinks = {
  token_hash: Buffer;
  organization_id: string;
  user_id: string;
  expires_at: Temporal.Instant;
  used_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
};

export type StageMembers = {
  organization_id: string;
  schedule_id: string;
  stage: number;
  user_id: string;
  position: number;
  joined_at: Temporal.Instant | null;
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
};

export type DB = {
  api_keys: ApiKeys;
  audit_log: AuditLog;
  availabilities: Availabilities;
  contact_methods: ContactMethods;
  deliveries: Deliveries;
  delivery_attempts: DeliveryAttempts;
  idempotency_keys: IdempotencyKeys;
  installation: Installation;
  moment_comments: MomentComments;
  moment_pages: MomentPages;
  moments: Moments;
  nodes: Nodes;
  notification_moments: NotificationMoments;
  notification_rules: NotificationRules;
  open_dashboards: OpenDashboards;
  organizations: Organizations;
  overrides: Overrides;
  page_events: PageEvents;
  page_steps: PageSteps;
  pages: Pages;
  problems: Problems;
  received_notifications: ReceivedNotifications;
  refused_pages: RefusedPages;
  requests: Requests;
  responders: Responders;
  schedule_stages: ScheduleStages;
  schedules: Schedules;
  sessions: Sessions;
  shifts: Shifts;
  sign_in_links: SignInLinks;
  stage_members: StageMembers;
  team_members: TeamMembers;
  teams: Teams;
  users: Users;
  webhook_deliveries: WebhookDeliveries;
  webhook_former_tokens: WebhookFormerTokens;
  webhooks: Webhooks;
};
