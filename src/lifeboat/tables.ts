/** A table that a lifeboat copies from the main database. */
export type CopiedTable = {
  name: string;
  /** SQL that selects its rows, from our own code; null: all of them. */
  where: string | null;
  /** Columns that stay null, because they refer to tables that are not copied. */
  without?: readonly string[];
};

/** How far ahead people on call are copied, with a margin for shifts that have just ended. */
const TIMES = `starts_at < now() + interval '14 days' and ends_at > now() - interval '1 day'`;

/** Webhooks that only record moments are not called at a lifeboat. */
const OPEN_SOURCES = `pages and revoked_at is null`;

/**
 * The configuration that paging needs, in an order in which each table comes after those that it refers to. Idempotency
 * keys belong to it, so that a request which the main database accepted and a sender repeats is not a second page.
 */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'installation', where: null },
  { name: 'organizations', where: null },
  { name: 'users', where: null },
  { name: 'teams', where: null },
  { name: 'team_members', where: null },
  { name: 'contact_methods', where: null },
  { name: 'providers', where: null },
  { name: 'notification_rules', where: null },
  { name: 'api_keys', where: 'revoked_at is null' },
  { name: 'schedules', where: null },
  { name: 'schedule_stages', where: null },
  { name: 'shifts', where: TIMES, without: ['override_id'] },
  { name: 'availabilities', where: `type = 'hard_unavailable' and ${TIMES}` },
  { name: 'webhooks', where: OPEN_SOURCES },
  { name: 'page_sources', where: `id in (select id from webhooks where ${OPEN_SOURCES})` },
  { name: 'webhook_former_tokens', where: `webhook_id in (select id from webhooks where ${OPEN_SOURCES})` },
  {
    name: 'maintenance_windows',
    where: `over_at is null and (source_id is null or source_id in (select id from webhooks where ${OPEN_SOURCES}))`,
  },
  { name: 'idempotency_keys', where: `answer is not null and created_at > now() - interval '10 minutes'` },
];

/** The tables that store pages of a lifeboat, which it moves to the main database when it lands. */
export const LANDED_TABLES = [
  'all_clears',
  'deliveries',
  'delivery_attempts',
  'idempotency_keys',
  'inbound_answers',
  'lifeboat_answers',
  'page_events',
  'page_steps',
  'pages',
  'pages_again',
  'received_notifications',
  'refused_pages',
  'request_pages',
  'requests',
  'responders',
  'waiting_pages',
  'webhook_deliveries',
] as const;

/** The tables that a lifeboat neither copies nor lands, by reason. A test compares all three lists with the schema. */
export const LEFT_TABLES: Record<string, readonly string[]> = {
  'nobody signs in at a lifeboat': [
    'challenges',
    'contact_method_codes',
    'contact_method_sends',
    'invitations',
    'oidc_identities',
    'one_time_codes',
    'passkeys',
    'passwords',
    'recovery_codes',
    'sessions',
    'sign_in_attempts',
    'sign_in_links',
  ],
  'shifts already contain its effect': [
    'cover_checks',
    'covers',
    'holiday_calendars',
    'holidays',
    'overrides',
    'plans',
    'stage_members',
    'swaps',
  ],
  'moments are recorded in the main database when the calls of page sources land': [
    'moment_comments',
    'moment_ends',
    'moment_pages',
    'moment_reopenings',
    'moments',
    'notification_moments',
  ],
  'heartbeats are not called meanwhile': ['accepting'],
  'it only counts what windows hold': ['window_events'],
  'it is not about paging': [
    'announced',
    'audit_log',
    'availability_source_records',
    'availability_sources',
    'calendar_feeds',
    'former_shifts',
    'handoff_drafts',
    'handoff_notes',
    'messages',
    'notices',
    'pay_holidays',
    'pay_people',
    'pay_periods',
    'pay_rates',
    'pay_statements',
    'pay_tables',
    'problems',
    'saved_views',
  ],
  'each database has its own': [
    'database_timelines',
    'lifeboat_waiting',
    'lifeboats',
    'migrations',
    'nodes',
    'open_dashboards',
  ],
};
