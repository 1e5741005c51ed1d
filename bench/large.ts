/**
 * `npm run bench -- large [FINISHED [PEOPLE]]`: what each view costs in an organization with FINISHED pages and as many moments
 * (5,000,000) and a schedule of PEOPLE people (500), beside one with 1,000 of each and ten people.
 *
 * The service runs in this process and reads the database of a server, so that each of its statements is explained before it
 * runs: the blocks that it touches and the time that it takes do not depend on other load, and on what ran before only a little.
 */
import { sql } from 'kysely';
import { Client } from 'pg';
import { type App, createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { DatabaseClient } from '../src/db/hosts.ts';
import { createLog } from '../src/kit/log.ts';
import { forgetOldCalls } from '../src/webhooks/call-store.ts';
import { type Sweep, sweepMoments, sweepPages } from '../src/worker/retention-store.ts';
import { addHistory } from './history.ts';
import { databaseMs } from './processor-time.ts';
import { type RunningServer, startServer } from './server.ts';

const FEW = { finished: 1_000, people: 10 };
const MANY = { finished: Number(process.argv[2] ?? 5_000_000), people: Number(process.argv[3] ?? 500) };
/**
 * Runs whose processor time in the service is counted, after runs that only compile and plan. `npm test` does fewer.
 */
const [TIMES, WARM] = MANY.finished > 50_000 ? [20, 10] : [2, 6];
/** Slow views run less often. */
const MOST_MS = 2_000;
/** A view that costs more than this many times what it costs in the small organization is too expensive. */
const MOST_RATIO = 1.5;
/** Larger indexes have more levels, so this many more blocks are accepted. */
const MORE_LEVELS = 60;

function line(what: string, ...figures: string[]): void {
  const widths = [18, 8, 24, 22, 8, 10];
  console.log(what.padEnd(50) + figures.map((figure, place) => figure.padStart(widths[place] ?? 0)).join(''));
}

type Amounts = typeof FEW;
type Side = { server: RunningServer; app: App; amounts: Amounts };

const day = (days: number) =>
  Temporal.Now.instant()
    .add({ hours: 24 * days })
    .toString();
const SCHEDULE = `schedule_${'1'.padStart(26, '0')}`;
const middle = ({ finished }: Amounts) =>
  Math.floor(finished / 2)
    .toString(16)
    .padStart(26, '0');

/**
 * The paths that a view requests. The list above depends on the length of the history, and the one below on the number
 * of people.
 */
const VIEWS: readonly [name: string, paths: (amounts: Amounts) => string[]][] = [
  [
    'first view of the dashboard',
    () => [
      '/api/pages?state=open&limit=200',
      '/api/problems',
      '/api/notices',
      '/api/windows?state=active',
      '/api/contact-methods',
      '/api/refused-pages',
      '/api/notifications/counts',
    ],
  ],
  ['pages: all', () => ['/api/pages?state=all&limit=50']],
  [
    'pages: after half of them',
    (of) => [`/api/pages?state=all&limit=50&before=page_0${middle(of).slice(1)}`],
  ],
  ['pages: of one state that none has', () => ['/api/pages?state=notifying&limit=50']],
  ['pages: mine', () => ['/api/pages?state=all&limit=50&whose=mine']],
  ['pages: a word of most', () => ['/api/pages?state=all&limit=50&text=full']],
  ['pages: a word of one', ({ finished }) => [`/api/pages?state=all&limit=50&text=${finished - 7}`]],
  ['pages: a word of none', () => ['/api/pages?state=all&limit=50&text=zebra']],
  ['one page', (of) => [`/api/pages/page_0${middle(of)}`]],
  ['moments: all', () => ['/api/moments?limit=50']],
  ['moments: open', () => ['/api/moments?state=open,acknowledged&limit=50']],
  ['moments: after half of them', (of) => [`/api/moments?limit=50&before=moment_0${middle(of).slice(1)}`]],
  ['moments: a word of most', () => ['/api/moments?limit=50&text=full']],
  ['moments: a word of none', () => ['/api/moments?limit=50&text=zebra']],
  ['moments: a type of none', () => ['/api/moments?limit=50&type=incident']],
  ['moments: a day', () => [`/api/moments?limit=50&from=${day(-20)}&to=${day(-19)}`]],
  ['one moment', (of) => [`/api/moments/moment_0${middle(of)}`]],
  ['requests: all', () => ['/api/requests?limit=50']],
  ['requests: failed, of which there are none', () => ['/api/requests?limit=50&status=failed']],
  ['requests: in progress, of which there are none', () => ['/api/requests?limit=50&status=processing']],
  ['requests: of a kind that none has', () => ['/api/requests?limit=50&kind=page.person']],
  ['received calls: all', () => ['/api/notifications?limit=50']],
  ['received calls: failed', () => ['/api/notifications?limit=50&state=error']],
  ['audit log', () => ['/api/audit']],
  ['report of withheld alerts, 28 days', () => [`/api/reports/withheld?from=${day(-28)}&to=${day(0)}`]],
];
/** These show all pages of a period, or all people, so they cost more when there are more of them. */
const AMOUNTS: typeof VIEWS = [
  ['report of responses, 28 days', () => [`/api/reports/responses?from=${day(-28)}&to=${day(0)}`]],
  ['report of sources, 28 days', () => [`/api/reports/load?from=${day(-28)}&to=${day(0)}`]],
  ['report of fairness, 28 days', () => [`/api/reports/fairness?from=${day(-28)}&to=${day(0)}`]],
  ['who is on call', () => ['/api/on-call']],
  ['schedules', () => ['/api/schedules']],
  ['one schedule', () => [`/api/schedules/${SCHEDULE}`]],
  ['its shifts, eight weeks', () => [`/api/schedules/${SCHEDULE}/shifts?from=${day(-7)}&to=${day(49)}`]],
  ['covers', () => ['/api/covers']],
  ['people', () => ['/api/people']],
  ['people with their teams', () => ['/api/people/overview']],
  ['absences of eight weeks', () => [`/api/availabilities?from=${day(-7)}&to=${day(49)}`]],
];

/** The operator's file; `fill` adds the schedule. */
function organizationOf({ people }: Amounts): string {
  const email = (n: number) => (n === 0 ? 'ada@example.com' : `person${n}@example.com`);
  return JSON.stringify({
    organization: { name: 'Bench', time_zone: 'UTC' },
    users: Array.from({ length: people }, (_, n) => ({
      ...{ email: email(n), name: `Person ${n}`, role: n === 0 ? 'owner' : 'member' },
      contact_methods: [{ type: 'email', value: email(n) }],
    })),
    teams: [{ slug: 'sre', name: 'SRE', members: ['ada@example.com'] }],
  });
}

/** A schedule with everybody in both stages, and daily shifts from half a year ago for a year. */
const SCHEDULE_OF_ALL = [
  `insert into team_members (organization_id, team_id, user_id, created_at)
   select t.organization_id, t.id, u.id, now() from teams t join users u on u.organization_id = t.organization_id
   on conflict do nothing`,
  `insert into schedules (id, organization_id, team_id, name, enabled, time_zone, strategy, pattern, created_at, updated_at)
   select '${SCHEDULE}', organization_id, id, 'Everybody', true, 'UTC', 'rotation', '{"every": "day", "handoff": "09:00"}',
     now(), now() from teams`,
  `insert into schedule_stages (organization_id, schedule_id, stage, escalate_after_seconds, seats)
   select organization_id, id, stage, 300, 1 from schedules, generate_series(1, 2) stage`,
  `insert into stage_members (organization_id, schedule_id, stage, user_id, position)
   select g.organization_id, g.schedule_id, g.stage, u.id, row_number() over (partition by g.stage order by u.id)
   from schedule_stages g join users u on u.organization_id = g.organization_id`,
  `insert into shifts (id, organization_id, schedule_id, stage, seat, user_id, planned_user_id, starts_at, ends_at, created_at, updated_at)
   select 'shift_' || lpad(m.stage::int || lpad(day::text, 6, '0'), 26, '0'), m.organization_id, m.schedule_id, m.stage, 1, m.user_id,
     m.user_id, at, at + interval '1 day', now(), now()
   from generate_series(0, 364) day
   join stage_members m on m.position = 1 + day % (select count(*) from users),
   lateral (select date_trunc('day', now()) + (day - 182) * interval '1 day' + interval '9 hours' as at) times`,
];

async function open(amounts: Amounts): Promise<Side> {
  const server = await startServer(organizationOf(amounts), {}, 'api');
  await server.command('webhook', 'create', '--team', 'sre', '--name', 'b', '--type', 'custom');
  const client = new Client(server.superuser);
  await client.connect();
  const began = performance.now();
  for (const statement of SCHEDULE_OF_ALL) await client.query(statement);
  await addHistory(client, 0, amounts.finished);
  const seconds = (performance.now() - began) / 1_000;
  const { rows } = await client.query<{ mb: string }>(
    'select round(pg_database_size(current_database()) / 1e6) as mb',
  );
  await client.end();
  line(
    `${amounts.finished} finished pages and moments, ${amounts.people} people: written in`,
    ...[`${seconds.toFixed(0)} s`, `${rows[0]?.mb} MB`],
  );
  const config = readConfig(
    { DATA_DIR: server.dataDir, LOG_LEVEL: 'error', PORT: '1', UPLOAD_PORT: '2' },
    'api',
  );
  const { connection } = server;
  const app = await createApp({ config, connection, log: createLog('error'), automatic: false });
  await app.serveBehind();
  return { server, app, amounts };
}

type Plan = {
  'Planning Time': number;
  'Execution Time': number;
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
};
/** The cost of the statements since it was set; null when statements are not explained. */
let explained: { blocks: number; ms: number } | null = null;

const { query } = DatabaseClient.prototype;
DatabaseClient.prototype.query = function (this: DatabaseClient, ...given: unknown[]) {
  const [first] = given;
  const { text, values = given[1] } = (typeof first === 'string' ? { text: first } : first) as {
    text?: string;
    values?: unknown;
  };
  const cost = explained;
  if (!cost || !text || !/^\s*(select|with)\b/i.test(text) || typeof given.at(-1) === 'function')
    return Reflect.apply(query, this, given);
  return (async () => {
    const explain = `explain (analyze, buffers, timing off, format json) ${text}`;
    const answer = (await Reflect.apply(query, this, [explain, values ?? []])) as unknown as {
      rows: { 'QUERY PLAN': Plan[] }[];
    };
    const [plan] = answer.rows[0]?.['QUERY PLAN'] ?? [];
    if (!plan) throw new Error(`no plan was made of ${text}`);
    cost.blocks += plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks'];
    cost.ms += plan['Execution Time'];
    return Reflect.apply(query, this, given);
  })();
} as typeof query;

async function request({ app, server }: Side, path: string): Promise<number> {
  const { statusCode, body } = await app.base.inject({
    ...{ method: 'GET', url: path },
    headers: { host: new URL(app.config.publicUrl).host, authorization: `Bearer ${server.key}` },
  });
  if (statusCode !== 200 && statusCode !== 503) throw new Error(`${path} is answered ${statusCode}: ${body}`);
  return statusCode;
}

type Cost = { blocks: number; databaseMs: number; serviceMs: number };

/** Null when a statement reached its time limit. */
async function costOf(side: Side, paths: readonly string[]): Promise<Cost | null> {
  const all = async () => {
    for (const path of paths) if ((await request(side, path)) === 503) return false;
    return true;
  };
  const begun = performance.now();
  for (let time = 0; time < WARM && performance.now() - begun < MOST_MS; time++)
    if (!(await all())) return null;
  const before = process.cpuUsage();
  const from = performance.now();
  let times = 0;
  for (; times < TIMES && performance.now() - from < MOST_MS; times++) await all();
  const { user, system } = process.cpuUsage(before);
  const cost = { blocks: 0, ms: 0 };
  explained = cost;
  await all();
  explained = null;
  return { blocks: cost.blocks, databaseMs: cost.ms, serviceMs: (user + system) / 1_000 / times };
}

const ratio = (many: number, few: number) => (many / Math.max(few, 0.001)).toFixed(2);

async function compare(views: typeof VIEWS): Promise<void> {
  for (const [name, paths] of views) {
    const [small, large] = [await costOf(few, paths(FEW)), await costOf(lots, paths(MANY))];
    if (!small || !large) {
      line(name, 'too slow');
      continue;
    }
    const grows = large.blocks > small.blocks * MOST_RATIO + MORE_LEVELS;
    line(
      name,
      ...[`${small.blocks} → ${large.blocks}`, ratio(large.blocks, small.blocks)],
      ...[`${small.databaseMs.toFixed(2)} → ${large.databaseMs.toFixed(2)} ms`],
      ...[
        `${small.serviceMs.toFixed(1)} → ${large.serviceMs.toFixed(1)} ms`,
        ratio(large.serviceMs, small.serviceMs),
      ],
      ...(grows ? ['grows'] : []),
    );
  }
}

/** Batches of each duty that are measured. */
const BATCHES = 10;

/** Removes rows as the duties do, and prints what that costs. Destroys the history of the database. */
async function removeSome({ app, server }: Side): Promise<void> {
  const { db, clock } = app;
  const end = await clock.now(db);
  let after = '';
  const sweep = (look: Sweep, limit: number) => async () => {
    const { removed, upTo } = await look(db, end, after, limit);
    after = upTo ?? '';
    return removed;
  };
  const duties: [name: string, run: () => Promise<number>][] = [
    ['received calls', () => forgetOldCalls(db, clock, 0, 1_000)],
    ['moments', sweep(sweepMoments, 1_000)],
    ['pages with all of theirs', sweep(sweepPages, 100)],
  ];
  const walBytes = async () => {
    const { rows } = await sql<{ at: number }>`select pg_current_wal_lsn() - '0/0' as at`.execute(db);
    return rows[0]?.at ?? Number.NaN;
  };
  line('removed in batches', 'rows', '', 'database a thousand', 'longest batch', '', 'WAL');
  for (const [name, run] of duties) {
    after = '';
    const [ms, wal] = [await databaseMs(server), await walBytes()];
    let [removed, longest] = [0, 0];
    for (let batch = 0; batch < BATCHES; batch++) {
      const began = performance.now();
      removed += await run();
      longest = Math.max(longest, performance.now() - began);
    }
    const spent = (await databaseMs(server)) - ms;
    line(
      name,
      ...[
        String(removed),
        '',
        `${((spent / removed) * 1_000).toFixed(0)} ms`,
        `${longest.toFixed(0)} ms`,
        '',
      ],
      `${(((await walBytes()) - wal) / removed / 1_024).toFixed(1)} KB`,
    );
  }
}

const few = await open(FEW);
const lots = await open(MANY);
try {
  line('', 'blocks', 'ratio', 'database', 'service', 'ratio');
  await compare(VIEWS);
  line(
    `of the time, and of ${FEW.people} → ${MANY.people} people`,
    'blocks',
    'ratio',
    'database',
    'service',
    'ratio',
  );
  await compare(AMOUNTS);
  await removeSome(lots);
} finally {
  for (const { app, server } of [few, lots]) {
    await app.stop();
    await server.stop();
  }
}
