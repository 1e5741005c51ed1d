import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { stringify } from 'yaml';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { solverForTests } from '../../testing/planning/solver.ts';
import { MovableClock } from '../db/clock.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { createSealing } from '../kit/sealing.ts';
import type { Solver } from '../planning/threads/solver.ts';
import { type ApplyOptions, applyFile } from './apply.ts';

const PEOPLE = ['ada', 'bob', 'cleo', 'dan', 'eve'];
const TEAMS = ['sre', 'web'];
const SCHEDULES = ['SRE', 'Web, nights', 'Ünïcode: "x"'];
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'];

const OFFICE = [{ days: ['mon-fri'], from: '09:00', to: '17:00' }];
const NIGHTS = [{ from: '20:00', to: '06:00' }];
/** When the first example begins; a seed plays the same course on any day. */
const START = Temporal.Instant.from('2026-11-24T10:00:00Z');
const soon = '2026-11-29';

/** Keys that may be present. */
function some<T extends object>(record: { [K in keyof T]: fc.Arbitrary<T[K]> }, required: (keyof T)[]) {
  return fc.record(record, { requiredKeys: required });
}

const minutes = fc.oneof(fc.nat(20), fc.constantFrom(0.05, 0.5, 2.25));
const instant = fc
  .integer({ min: 0, max: 500 })
  .map((hours) => Temporal.Instant.from('2027-01-01T00:00:00Z').add({ hours }).toString());
const range = fc
  .tuple(instant, instant)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => (a < b ? { start: a, end: b } : { start: b, end: a }));

function method(name: string) {
  return fc.constantFrom(
    { type: 'phone', value: '+15005550006' },
    { type: 'email', value: `${name}@example.com` },
    { type: 'email', value: `${name}@home.example.org` },
    { type: 'chat', value: name, chat_user_id: `U${name}` },
    { type: 'webhook', value: `http://127.0.0.1:9000/${name}` },
    {
      type: 'webhook',
      value: `https://example.com/${name}`,
      signing_secret: `whsec_${Buffer.alloc(32, name).toString('base64')}`,
    },
  );
}

const rule = fc.record({
  after_minutes: minutes,
  types: fc.uniqueArray(
    fc.constantFrom('push', 'sms', 'phone', 'voice', 'chat', 'email', 'webhook', 'browser'),
    { minLength: 1, maxLength: 4 },
  ),
});
const rules = fc.array(rule, { maxLength: 3 });

function user(name: string) {
  return some(
    {
      email: fc.constantFrom(`${name}@example.com`, `${name.toUpperCase()}@Example.com`),
      name: fc.constantFrom(name, `${name} O'Hara, "the ${name}"`, `${name} – ☎`),
      username: fc.constantFrom(name, `${name}2`),
      role: fc.constantFrom('owner', 'admin', 'member'),
      time_zone: fc.constantFrom(...ZONES),
      contact_methods: fc.uniqueArray(method(name), { maxLength: 4 }),
      notification_rules: some({ low: rules, medium: rules, high: rules }, []),
    },
    ['email'],
  );
}

const rate = fc.constantFrom('2.50', '3', '0.8333');
const ofClasses = fc.record({ standby: rate, night: rate, weekend: rate, holiday: rate });
const version = some(
  {
    from: fc.constantFrom('2026-01-01', '2027-01-01', '2027-07-01'),
    until: fc.constantFrom(null, '2028-12-31'),
    rates: some(
      {
        on_call: ofClasses,
        called_out: ofClasses.map((of) => ({
          ...of,
          ...{ minimum_minutes: 60, step_minutes: 15, longest_hours: 12, on_call: 'continues' },
        })),
        stages: fc.uniqueArray(fc.record({ from_stage: fc.constantFrom(2, 2.5), on_call: ofClasses }), {
          selector: ({ from_stage }) => from_stage,
        }),
        overlap: fc.constantFrom('highest', 'add'),
        night: fc.constant({ from: '22:00', to: '06:00' }),
        weekend: fc.constantFrom(['sat', 'sun'], []),
        working_hours: fc.constantFrom([], [{ days: ['mon'], from: '09:00', to: '24:00' }]),
      },
      ['on_call', 'called_out', 'overlap', 'night', 'weekend', 'working_hours'],
    ),
  },
  ['from', 'rates'],
);
const payTable = some(
  {
    // The name determines the currency, which cannot change.
    name: fc.constantFrom('Germany', 'germany', 'New York'),
    time_zone: fc.constantFrom(...ZONES),
    place: fc.constantFrom({}, { country: null }, { country: 'DE', region: 'BY' }, { country: 'de' }),
    default: fc.constantFrom(false, true),
    versions: fc.uniqueArray(version, { selector: ({ from }) => from, maxLength: 3 }),
  },
  ['name', 'place'],
).map(({ place, ...table }) => ({
  ...table,
  ...place,
  currency: table.name === 'New York' ? 'USD' : 'EUR',
}));
const payTables = fc
  .uniqueArray(payTable, { selector: ({ name }) => name.toLowerCase(), maxLength: 2 })
  .filter((list) => list.filter((table) => table.default).length < 2);

/** People of the file, whom the rest of the file may name. */
const organizations = fc.subarray(PEOPLE, { minLength: 1 }).chain((names) => {
  const emails = names.map((name) => `${name}@example.com`);
  const anyone = fc.constantFrom(...emails);
  const group = fc.subarray(emails);
  const stages = fc.uniqueArray(
    some(
      {
        stage: fc.constantFrom(1, 1.5, 2, 10),
        members: group,
        escalate_after_minutes: minutes.map((m) => m + 0.5),
        seats: fc.integer({ min: 1, max: 2 }),
        shifts: fc.constantFrom<object>({ every: 'day', hours: NIGHTS }, { every: '2 weeks' }),
        time_zone: fc.constantFrom(...ZONES),
      },
      ['stage', 'members'],
    ),
    { selector: ({ stage }) => stage, minLength: 1, maxLength: 3 },
  );
  const schedule = (name: string) =>
    stages.chain((list) =>
      some(
        {
          name: fc.constant(name),
          team: fc.constantFrom(...TEAMS),
          description: fc.constantFrom('', 'Round the clock', null),
          enabled: fc.boolean(),
          time_zone: fc.constantFrom(...ZONES),
          backstop: fc.oneof(anyone, fc.constant(null)),
          strategy: fc.constantFrom('fair', 'rotation'),
          plan_ahead_weeks: fc.integer({ min: 1, max: 3 }),
          rest_hours: fc.constantFrom(0, 8, 11.5),
          small_absence_hours: fc.constantFrom(0, 4.5, 8),
          cover: fc.constantFrom('propose', 'apply'),
          holidays: fc.constantFrom(
            { use: 'weight' },
            { country: 'DE', region: 'BY' },
            { use: 'uncovered', days: [soon, '2026-12-25'] },
          ),
          shifts: fc.constantFrom<object>(
            { every: 'week', handoff: 'Monday 09:00' },
            { every: 'day' },
            { every: '8 hours' },
            { every: '36 hours', handoff: '06:30', starts_on: '2026-11-02' },
            { rrule: 'FREQ=WEEKLY;BYDAY=MO,TH', handoff: '09:00' },
            { every: 'week', hours: OFFICE },
            { every: 'day', hours: NIGHTS, from: '2026-11-25' },
            { every: 'week', changes: [{ from: soon, every: 'day', handoff: '12:00', hours: OFFICE }] },
          ),
          stages: fc.constant(list),
          overrides: fc.uniqueArray(
            fc
              .record({ stage: fc.constantFrom(...list.map(({ stage }) => stage)), user: anyone, range })
              .map(({ range: span, ...rest }) => ({ ...rest, ...span })),
            { selector: (override) => JSON.stringify(override), maxLength: 3 },
          ),
        },
        ['name', 'team', 'shifts', 'stages'],
      ).map((one) =>
        // An enabled schedule without people is refused, because nobody would be paged.
        list.every(({ members }) => members?.length === 0) ? { ...one, enabled: false } : one,
      ),
    );
  return fc.record(
    {
      organization: fc.record({ name: fc.constant('Acme'), time_zone: fc.constantFrom(...ZONES) }),
      users: fc.tuple(...names.map(user)),
      teams: fc.tuple(
        ...TEAMS.map((slug) =>
          some({ slug: fc.constant(slug), name: fc.constantFrom(slug, `Team ${slug}`), members: group }, [
            'slug',
          ]),
        ),
      ),
      schedules: fc.subarray(SCHEDULES).chain((chosen) => fc.tuple(...chosen.map(schedule))),
      availabilities: fc.uniqueArray(
        fc
          .record({
            user: anyone,
            type: fc.constantFrom('hard_unavailable', 'soft_unavailable', 'requested'),
            name: fc.constantFrom('', 'Holiday'),
            range,
          })
          .map(({ range: span, ...rest }) => ({ ...rest, ...span })),
        { selector: (record) => JSON.stringify(record), maxLength: 5 },
      ),
      pay_tables: payTables,
    },
    { requiredKeys: ['organization', 'users', 'teams'] },
  );
});

describe('any valid file', () => {
  const sealing = createSealing(randomBytes(32));
  let database: TestDatabase;
  let db: Database;
  let solver: Solver;

  before(async () => {
    database = await testDatabase();
    solver = solverForTests({ mostSeconds: 0.2 });
    db = createDatabase(createPool({ connection: { connectionString: database.url }, max: 2, name: 'test' }));
    await clock.stop(db);
    clock.advance((await clock.now(db)).until(START));
  });

  after(async () => {
    await db.destroy();
    await database.drop();
  });

  const clock = new MovableClock();
  const apply = (text: string, options: ApplyOptions) =>
    applyFile({ by: 'operator', db, clock, solver, sealing, report: () => undefined }, text, options);

  /** Everything that a file can change, a text for each row. */
  async function everything(): Promise<string[]> {
    const tables = [
      'organizations',
      'users',
      'contact_methods',
      'notification_rules',
      'teams',
      'team_members',
      'schedules',
      'schedule_stages',
      'stage_members',
      'overrides',
      'shifts',
      'availabilities',
      'pay_tables',
      'pay_rates',
      'audit_log',
    ];
    const rows = await Promise.all(
      tables.map((table) =>
        sql<{ row: string }>`select t::text as row from ${sql.table(table)} t order by 1`.execute(db),
      ),
    );
    return rows.flatMap((result) => result.rows.map(({ row }) => row));
  }

  it('makes the organization match it, whatever existed before, and only once', async () => {
    await fc.assert(
      fc.asyncProperty(organizations, fc.boolean(), fc.nat(60), async (file, prune, hours) => {
        clock.advance({ hours });
        const text = stringify(file);
        const before = await everything();
        const dry = await apply(text, { prune, dryRun: true });
        assert.deepEqual(await everything(), before, 'a dry run left something behind');

        const first = await apply(text, { prune, dryRun: false });
        assert.deepEqual(first.changes.map(withoutId), dry.changes.map(withoutId));
        const made = await everything();

        const second = await apply(text, { prune, dryRun: false });
        assert.deepEqual(second.changes, []);
        assert.deepEqual(second.secrets, []);
        assert.deepEqual(await everything(), made, 'the second run changed something that it did not name');
      }),
      // The earlier state is part of the example: another try would begin elsewhere.
      { numRuns: 40, endOnFailure: true },
    );
  });

  it('removes a schedule at the instant at which another file created it', async () => {
    clock.advance({ hours: 3 });
    const file = {
      organization: { name: 'Acme' },
      users: [{ email: 'ada@example.com' }],
      teams: [{ slug: 'sre', members: ['ada@example.com'] }],
    };
    const schedule = {
      ...{ name: 'Short-lived', team: 'sre', shifts: { every: 'week' } },
      stages: [{ stage: 1, members: ['ada@example.com'] }],
    };
    await apply(stringify({ ...file, schedules: [schedule] }), { prune: false, dryRun: false });
    const { changes } = await apply(stringify(file), { prune: true, dryRun: false });
    assert.ok(changes.some(({ action, name }) => action === 'remove' && name === 'Short-lived'));
    const former = await db
      .selectFrom('former_shifts')
      .select('id')
      .where('schedule_name', '=', 'Short-lived')
      .execute();
    assert.deepEqual(former, [], 'the schedule existed for no time, so pay needs no record of it');
  });
});

function withoutId({ id: _, ...change }: { id: string }) {
  return change;
}
