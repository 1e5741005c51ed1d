import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { testDatabase } from '../../testing/database.ts';
import { type Organization, seedOrganization } from '../../testing/organization.ts';
import { MovableClock } from '../db/clock.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { createSealing } from '../kit/sealing.ts';
import { type Sleep, sleepsAt, USUAL_SLEEP } from '../people/persons/sleep.ts';
import { clocksOf, interrupts, type Sleeper } from './clocks.ts';
import { responsesOf, weeksOf } from './responses.ts';
import { listAnswers, listHeat, listNotified, listSources, type Range } from './store.ts';

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'],
  ...['Asia/Kathmandu', 'Africa/Casablanca', 'Pacific/Apia'],
] as const;
const NAMES = ['ada', 'grace', 'alan'] as const;
type Name = (typeof NAMES)[number];

/** The clocks of Berlin, New York and Lord Howe are put back within this period. */
const PERIOD: Range = {
  from: Temporal.Instant.from('2026-03-20T00:00Z'),
  to: Temporal.Instant.from('2026-11-10T00:00Z'),
};
const [FIRST, END] = [PERIOD.from.epochMilliseconds, PERIOD.to.epochMilliseconds];

type Notified = { who: Name; at: number; asBackstop: boolean };
type Raised = {
  at: number;
  urgency: 'low' | 'medium' | 'high';
  host: string;
  notified: Notified[];
  answer: { by: Name; at: number } | null;
  expired: boolean;
  drill: boolean;
};

/** Some are close together, so that hours have several, and some around the hour in which clocks are put back. */
const instant = fc.oneof(
  fc.integer({ min: FIRST - 86_400_000, max: END + 86_400_000 }),
  fc.integer({ min: 0, max: 7_200_000 }).map((ms) => Date.UTC(2026, 9, 25) + ms),
  fc.integer({ min: 0, max: 7_200_000 }).map((ms) => Date.UTC(2026, 3, 4, 14) + ms),
);
const name = fc.constantFrom(...NAMES);
const raised: fc.Arbitrary<Raised> = fc
  .record({
    at: instant,
    urgency: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
    host: fc.constantFrom('a.example', 'b.example', 'c.example'),
    notified: fc.uniqueArray(
      fc.record({ who: name, after: fc.integer({ min: 0, max: 7_200_000 }), asBackstop: fc.boolean() }),
      { maxLength: 4, selector: ({ who, asBackstop }) => `${who} ${asBackstop}` },
    ),
    answer: fc.option(fc.record({ by: name, after: fc.integer({ min: 0, max: 86_400_000 }) })),
    expired: fc.boolean(),
    drill: fc.oneof(
      { weight: 5, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  })
  .map(({ at, notified, answer, ...rest }) => ({
    ...{ ...rest, at },
    notified: notified.map(({ after, ...one }) => ({ ...one, at: at + after })),
    answer: answer && { by: answer.by, at: at + answer.after },
  }));
const minute = fc.integer({ min: 0, max: 1_439 });
const sleeper = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  sleep: fc.option(fc.record({ from: minute, until: minute })),
});
const people = fc.record({ ada: sleeper, grace: sleeper, alan: sleeper });
type People = Record<Name, { timeZone: string; sleep: Sleep | null }>;

const inPeriod = ({ at }: { at: number }) => FIRST <= at && at < END;
const local = (at: number, { timeZone }: { timeZone: string }) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
const isAsleep = (at: number, { timeZone, sleep }: People[Name]) =>
  sleepsAt(Temporal.Instant.fromEpochMilliseconds(at), timeZone, sleep ?? USUAL_SLEEP);

function middleOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower, upper] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

/** Each local hour of a person counts once. */
function hoursOf(pages: readonly Raised[], who: Name, clocks: People) {
  const hours = new Map<string, { weekday: number; hour: number; asleep: boolean }>();
  for (const page of pages.filter(interrupts))
    for (const { at } of page.notified.filter((one) => one.who === who && inPeriod(one))) {
      const time = local(at, clocks[who]);
      // Both hours count when the clock is put back, even by half an hour.
      const key = `${time.toPlainDate()} ${time.hour} ${time.offset}`;
      const asleep = isAsleep(at, clocks[who]) || (hours.get(key)?.asleep ?? false);
      hours.set(key, { weekday: time.dayOfWeek - 1, hour: time.hour, asleep });
    }
  return [...hours.values()];
}

/** The figures of one person, calculated page by page. */
function figuresOf(pages: readonly Raised[], who: Name, clocks: People) {
  const counted = { low: 0, medium: 0, high: 0 };
  const times: number[] = [];
  let [backstop, acknowledged] = [0, 0];
  for (const { urgency, notified, answer } of pages) {
    const within = notified.filter(inPeriod);
    const own = within.filter((one) => one.who === who);
    if (answer?.by === who && within.length > 0) acknowledged++;
    if (own.length === 0) continue;
    counted[urgency]++;
    if (own.some(({ asBackstop }) => asBackstop)) backstop++;
    const first = Math.min(...own.map(({ at }) => at));
    if (answer?.by === who && answer.at >= first) times.push((answer.at - first) / 1_000);
  }
  const hours = hoursOf(pages, who, clocks);
  return {
    ...{ pages: counted, backstop, acknowledged, answered: middleOf(times) },
    ...{ hours: hours.length, asleep: hours.filter(({ asleep }) => asleep).length },
  };
}

describe('figures about pages', () => {
  let test: Awaited<ReturnType<typeof testDatabase>>;
  let db: Database;
  let acme: Organization;
  const clock = new MovableClock();
  const scope = () => ({ organizationId: acme.id, teamId: null, schedule: null });
  const id = (who: Name) => acme.users[who] ?? '';
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();

  before(async () => {
    test = await testDatabase();
    db = createDatabase(createPool({ connection: { connectionString: test.url }, max: 2, name: 'reports' }));
    acme = await seedOrganization(
      { db, clock, sealing: createSealing(randomBytes(32)) },
      { people: { ada: {}, grace: {}, alan: {} }, teams: { sre: { members: [...NAMES] } } },
    );
  });
  beforeEach(async () => {
    await sql`delete from requests`.execute(db);
  });
  after(async () => {
    await db.destroy();
    await test.drop();
  });

  async function write(pages: readonly Raised[]): Promise<void> {
    await sql`delete from requests`.execute(db);
    const rows = JSON.stringify(
      pages.map(({ notified, answer, ...page }, index) => ({
        ...page,
        ...{ id: `page_${index}`, request: `request_${index}`, at: at(page.at) },
        ...{ answered_at: answer && at(answer.at), answered_by: answer && id(answer.by) },
        responders: notified.map((one) => ({
          ...{ who: id(one.who), at: at(one.at), kind: one.asBackstop ? 'backstop' : 'stage' },
        })),
      })),
    );
    await sql`
      with given as (
        select * from jsonb_to_recordset(${rows}::jsonb) g(id text, request text, at timestamptz, urgency text, host text,
          expired boolean, drill boolean, answered_at timestamptz, answered_by text, responders jsonb)
      ), asked as (
        insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at, finished_at)
        select request, ${acme.id}, 'page.team', 'succeeded', '', 'story', at, at, at from given
      ), raised as (
        insert into pages (id, organization_id, request_id, kind, team_id, title, text, source_url, urgency, state, reply_code,
          created_at, acknowledged_at, acknowledged_by, expired_at, drill)
        select id, ${acme.id}, request, 'team', ${acme.teams.sre}, 'Disk full', '', 'https://' || host || '/', urgency,
          case when answered_at is null then 'notifying' else 'acknowledged' end, id, at, answered_at, answered_by,
          case when expired then at end, drill
        from given
      )
      insert into responders (organization_id, page_id, user_id, round, kind, stage, why, started_at)
      select ${acme.id}, g.id, r.who, 1, r.kind, case when r.kind = 'stage' then 1 end, '{"reason": "on call"}', r.at
      from given g, jsonb_to_recordset(g.responders) r(who text, at timestamptz, kind text)`.execute(db);
  }

  it('are those that are counted page by page, by everybody’s own clock', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(raised, { maxLength: 25 }), people, async (pages, clocks) => {
        await write(pages);
        const real = pages.filter(({ drill }) => !drill);
        const sleepers: Sleeper[] = NAMES.map((who) => ({ id: id(who), ...clocks[who] }));
        const asColumns = clocksOf(sleepers, { from: FIRST, to: END });
        const notified = await listNotified(db, scope(), PERIOD, asColumns);
        for (const who of NAMES) {
          const expected = figuresOf(real, who, clocks);
          const row = notified.find(({ userId }) => userId === id(who));
          if (!row) {
            assert.deepEqual([expected.pages, expected.acknowledged], [{ low: 0, medium: 0, high: 0 }, 0]);
            continue;
          }
          const { userId: _, answeredAfterSeconds, interruptedHours, sleepHoursInterrupted, ...rest } = row;
          const { answered, hours, asleep, ...others } = expected;
          assert.deepEqual(rest, others);
          assert.deepEqual([interruptedHours, sleepHoursInterrupted], [hours, asleep], who);
          assert.ok(Math.abs((answeredAfterSeconds ?? -1) - (answered ?? -1)) < 0.002, who);
        }
        const hours = NAMES.flatMap((who) => hoursOf(real, who, clocks));
        for (const cell of await listHeat(db, scope(), PERIOD, asColumns)) {
          const own = hours.filter(({ weekday, hour }) => weekday === cell.weekday && hour === cell.hour);
          assert.deepEqual(
            [cell.interrupted, cell.asleep],
            [own.length, own.filter((one) => one.asleep).length],
          );
          for (const one of own) hours.splice(hours.indexOf(one), 1);
        }
        assert.deepEqual(hours, []);
        await compareSources(real, clocks, asColumns);
      }),
      { numRuns: 60 },
    );
  });

  async function compareSources(
    pages: readonly Raised[],
    clocks: People,
    columns: ReturnType<typeof clocksOf>,
  ) {
    const sources = await listSources(db, scope(), PERIOD, columns);
    const expected = [...new Set(pages.map(({ host }) => host))].flatMap((source) => {
      const own = pages.filter(({ host }) => host === source);
      const askings = own.flatMap(({ notified }) => notified.filter(inPeriod));
      if (askings.length === 0) return [];
      return [
        {
          ...{ source, asked: askings.length },
          pages: own.filter(({ notified }) => notified.some(inPeriod)).length,
          asleep: askings.filter((one) => isAsleep(one.at, clocks[one.who])).length,
          lastAt: Math.max(...askings.map((one) => one.at)),
        },
      ];
    });
    assert.deepEqual(
      sources.map(({ lastAt, ...source }) => ({ ...source, lastAt: lastAt.epochMilliseconds })),
      expected.toSorted((a, b) => b.asked - a.asked || b.pages - a.pages || (a.source < b.source ? -1 : 1)),
    );
  }

  it('are counted by local weeks, including those in which the clocks change', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(raised, { maxLength: 40 }),
        fc.constantFrom(...ZONES),
        async (pages, timeZone) => {
          await write(pages);
          const weeks = weeksOf(PERIOD, timeZone);
          const begins = weeks.map(({ from }) => from);
          const report = responsesOf(await listAnswers(db, scope(), PERIOD, begins), weeks);
          const real = pages.filter((page) => !page.drill && inPeriod(page));
          const mondayOf = (page: Raised) => {
            const date = local(page.at, { timeZone }).toPlainDate();
            return date.subtract({ days: date.dayOfWeek - 1 }).toString();
          };
          for (const { week, ...answers } of report.weeks)
            assert.deepEqual(answers, answersOf(real.filter((page) => mondayOf(page) === week)), week);
          assert.deepEqual(report.total, answersOf(real));
        },
      ),
      { numRuns: 40 },
    );
  });

  function answersOf(pages: readonly Raised[]) {
    const times = pages.flatMap(({ at: from, answer }) => (answer ? [(answer.at - from) / 1_000] : []));
    const sorted = times.toSorted((a, b) => a - b);
    const whole = (seconds: number | null | undefined) => (seconds == null ? null : Math.round(seconds));
    const of = (urgency: Raised['urgency']) => pages.filter((page) => page.urgency === urgency).length;
    return {
      pages: { low: of('low'), medium: of('medium'), high: of('high') },
      acknowledged: times.length,
      expired: pages.filter(({ expired }) => expired).length,
      median_seconds: whole(middleOf(times)),
      p95_seconds: whole(sorted.find((_, index) => index + 1 >= sorted.length * 0.95)),
    };
  }

  it('include weeks without pages', () => {
    const [from, to] = [
      Temporal.Instant.from('2026-03-01T00:00Z'),
      Temporal.Instant.from('2026-03-16T00:00Z'),
    ];
    const { weeks, total } = responsesOf([], weeksOf({ from, to }, 'Europe/Berlin'));
    assert.deepEqual(
      weeks.map(({ week }) => week),
      ['2026-02-23', '2026-03-02', '2026-03-09', '2026-03-16'],
    );
    assert.ok(
      [total, ...weeks].every((answers) => answers.median_seconds === null && answers.acknowledged === 0),
    );
  });
});
