/** Past parts of schedules are deleted after two years, but nothing that plans, reports and calendars read. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { idAt, newId } from '../src/kit/typeid.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const PEOPLE = ['ada', 'alan', 'grace', 'joan'];
const TABLES = ['shifts', 'overrides', 'covers', 'swaps', 'plans', 'availabilities'] as const;
type Table = (typeof TABLES)[number];

describe('old schedules', () => {
  let t: Story;
  let ada: SignedIn;
  let schedule: string;
  /** When the story starts. */
  let start: Temporal.Instant;
  /** All records at that time. */
  let first: Record<Table, string[]>;
  let holiday: { followed: string; written: string };
  const id = (name: string) => t.acme.users[name] ?? '';
  const day = (n: number) => start.add({ hours: 24 * n });

  const idsIn = async (table: Table) =>
    (await t.db.selectFrom(table).select('id').orderBy('id').execute()).map((row) => row.id);

  async function everything(): Promise<Record<Table, string[]>> {
    const found: [Table, string[]][] = [];
    for (const table of TABLES) found.push([table, await idsIn(table)]);
    return Object.fromEntries(found) as Record<Table, string[]>;
  }

  async function done(method: string, path: string, body: object = {}): Promise<Record<string, never>> {
    const answer = await ada.call(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  const away = (name: string, from: Temporal.Instant, to: Temporal.Instant, type = 'hard_unavailable') =>
    done('POST', '/api/availabilities', {
      ...{ person: id(name), type, name: 'Away', starts_at: from.toString(), ends_at: to.toString() },
    });

  /** Shifts of the first stage that have not started, by start. */
  const coming = () =>
    t.db
      .selectFrom('shifts')
      .selectAll()
      .where('starts_at', '>', start)
      .where('user_id', 'is not', null)
      .orderBy('starts_at')
      .execute();

  /** Continues until this day of the story; sessions do not last that long. */
  async function goTo(n: number): Promise<void> {
    await t.clock.travelTo(t.db, day(n));
    await t.app.duties.runAll();
    ada = await signIn(t, 'ada');
  }

  async function followedHoliday(): Promise<typeof holiday> {
    const [followed, written] = [newId('holiday_calendar'), newId('holiday_calendar')];
    const of = { organization_id: t.acme.id, schedule_id: null, created_at: start, updated_at: start };
    await t.db
      .insertInto('holiday_calendars')
      .values([
        { id: followed, name: 'Followed', url: 'https://example.com/holidays.ics', ...of },
        { id: written, name: 'Ours', ...of },
      ])
      .execute();
    const date = start.toZonedDateTimeISO('UTC').toPlainDate();
    for (const calendar_id of [followed, written])
      await t.db
        .insertInto('holidays')
        .values([
          { calendar_id, date: date.toString(), name: 'Then' },
          { calendar_id, date: date.add({ days: 300 }).toString(), name: 'Later' },
        ])
        .execute();
    return { followed, written };
  }

  before(async () => {
    t = await story({
      organization: {
        people: Object.fromEntries(PEOPLE.map((name) => [name, {}])),
        teams: { sre: { members: PEOPLE } },
      },
    });
    await t.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id('ada')).execute();
    start = await t.clock.now(t.db);
    ada = await signIn(t, 'ada');
    const made = await done('POST', '/api/schedules', {
      ...{ name: 'SRE', team: 'sre', time_zone: 'Europe/Berlin', backstop: id('grace'), strategy: 'fair' },
      ...{ plan_ahead_weeks: 6, cover: 'apply', shifts: { every: 'week', handoff: 'Monday 09:00' } },
      stages: [{ stage: 1, members: PEOPLE.map(id) }],
    });
    schedule = made.id ?? '';
    await t.app.duties.runAll();
    const [next, second, third, fourth] = await coming();
    assert.ok(next && second && third && fourth);
    const whose = (userId: string | null) => PEOPLE.find((name) => id(name) === userId) ?? '';
    // A covered absence, a manual override, a swap that nobody accepts, and a draft that is discarded.
    await away(whose(next.user_id), next.starts_at.add({ hours: 24 }), next.starts_at.add({ hours: 48 }));
    await t.app.duties.runAll();
    const other = PEOPLE.find((name) => id(name) !== second.user_id) ?? '';
    await done('POST', `/api/schedules/${schedule}/overrides`, {
      ...{ stage: 1, user: id(other), starts_at: second.starts_at.add({ hours: 30 }).toString() },
      ends_at: second.starts_at.add({ hours: 40 }).toString(),
    });
    const asker = await signIn(t, whose(third.user_id));
    const stranger = (await coming()).find(
      ({ starts_at, user_id }) =>
        user_id !== third.user_id && Temporal.Instant.compare(starts_at, third.starts_at) > 0,
    );
    const asked = await asker.call('POST', `/api/shifts/${third.id}/swap`, { with: stranger?.id });
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    await done('POST', `/api/schedules/${schedule}/plan/draft`);
    await done('POST', `/api/schedules/${schedule}/plan/discard`);
    // Far ahead, and recorded at the start.
    await away('joan', day(900), day(905), 'soft_unavailable');
    holiday = await followedHoliday();
    first = await everything();
    for (const table of TABLES) assert.ok(first[table].length > 0, table);
  });
  after(() => t.end());

  const report = async () => {
    const query = `from=${start.toString()}&to=${day(35).toString()}`;
    const { body } = await ada.call('GET', `/api/reports/fairness?${query}`);
    return body.people.map(({ person, hours, shifts, covers }: Record<string, { name: string }>) => [
      ...[person?.name, hours, shifts, covers],
    ]);
  };

  it('are complete after 729 days, and reports do not change', async () => {
    const then = await report();
    assert.ok(then.some(([, hours]: number[]) => (hours ?? 0) > 0));
    await goTo(60);
    await goTo(729);
    const now = await everything();
    for (const table of TABLES)
      assert.deepEqual(
        first[table].filter((one) => !now[table].includes(one)),
        [],
        table,
      );
    assert.deepEqual(await report(), then);
  });

  it('are deleted after 800 days, except what has not ended', async () => {
    const inForce = await ada.call('GET', `/api/schedules/${schedule}/plan`);
    assert.equal(inForce.status, 200);
    await goTo(800);
    const now = await everything();
    const left = (table: Table) => first[table].filter((one) => now[table].includes(one));
    for (const table of ['shifts', 'overrides', 'covers', 'swaps'] as const)
      assert.deepEqual(left(table), [], table);
    const [ahead, ...more] = left('availabilities');
    assert.deepEqual(more, []);
    const { starts_at } = await t.db
      .selectFrom('availabilities')
      .select('starts_at')
      .where('id', '=', ahead ?? '')
      .executeTakeFirstOrThrow();
    assert.equal(starts_at.epochMilliseconds, day(900).epochMilliseconds);
    assert.deepEqual(left('plans'), []);
  });

  it('do not affect who is on call, the plan in force and the last year', async () => {
    const { body } = await t.get(`/schedules/${schedule}/oncalls`);
    assert.equal((body.oncalls as unknown[]).length, 1);
    const plan = await ada.call('GET', `/api/schedules/${schedule}/plan`);
    assert.equal(plan.status, 200, JSON.stringify(plan.body));
    // However long ago it was published.
    const { id: inForce } = await t.db
      .selectFrom('plans')
      .select('id')
      .where('state', '=', 'published')
      .orderBy('published_at', 'desc')
      .executeTakeFirstOrThrow();
    await t.db.deleteFrom('plans').where('id', '<>', inForce).execute();
    await t.db
      .updateTable('plans')
      .set({ published_at: day(0), updated_at: day(0) })
      .execute();
    await t.app.duties.runAll();
    assert.deepEqual(await idsIn('plans'), [inForce]);
    const rows = await t.db.selectFrom('shifts').selectAll().orderBy('starts_at').execute();
    const since = day(800).subtract({ hours: 24 * 730 });
    assert.ok(rows.length > 0);
    for (const { ends_at } of rows) assert.ok(Temporal.Instant.compare(ends_at, since) >= 0);
    assert.ok(rows.some(({ starts_at }) => Temporal.Instant.compare(starts_at, day(735)) < 0));
  });

  it('also delete days of followed lists, but none that somebody entered', async () => {
    const names = async (calendar: string) =>
      (
        await t.db
          .selectFrom('holidays')
          .select('name')
          .where('calendar_id', '=', calendar)
          .orderBy('date')
          .execute()
      ).map(({ name }) => name);
    assert.deepEqual(await names(holiday.followed), ['Later']);
    assert.deepEqual(await names(holiday.written), ['Then', 'Later']);
  });

  it('stay if somebody enters them only now', async () => {
    await t.db.deleteFrom('availabilities').execute();
    const now = await t.clock.now(t.db);
    // Ids contain the machine's time; this one is made with the story's time.
    await t.db
      .insertInto('availabilities')
      .values({
        ...{ id: idAt('availability', now), organization_id: t.acme.id, user_id: id('joan') },
        ...{ type: 'hard_unavailable', name: 'Then', starts_at: day(1), ends_at: day(2) },
        ...{ created_at: now, updated_at: now },
      })
      .execute();
    const of = { organization_id: t.acme.id, schedule_id: schedule, stage: 1, user_id: id('joan') };
    const then = { starts_at: day(1), ends_at: day(2), created_at: now };
    const override = idAt('override', day(0));
    await t.db
      .insertInto('overrides')
      .values({ id: override, ...of, ...then })
      .execute();
    await t.db
      .insertInto('shifts')
      .values({ id: idAt('shift', now), ...of, ...then, override_id: override, updated_at: now })
      .execute();
    await t.app.duties.runAll();
    assert.equal((await idsIn('availabilities')).length, 1);
    assert.deepEqual(await idsIn('overrides'), [override], 'a shift says that it is by this one');
    await goTo(800 + 731);
    assert.deepEqual(await idsIn('availabilities'), []);
    assert.deepEqual(await idsIn('overrides'), []);
  });
});
