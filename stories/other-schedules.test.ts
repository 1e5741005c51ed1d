import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** A Wednesday. Payments hands off at 08:00 UTC, SRE at 09:00. */
const NOW = '2026-12-02T12:00:00Z';
const UNTIL = '2026-12-16T08:00:00Z';

type Shift = { id: string; starts_at: string; ends_at: string; person: { id: string } | null };
type Said = { because: string; sentence: string; person: { id: string } };

describe('shifts in another schedule', () => {
  let t: Story;
  let ada: SignedIn;
  const ids: Record<string, string> = {};
  const id = (name: string) => t.acme.users[name] ?? '';

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, ben: {}, cleo: {}, dan: {} },
        teams: { sre: { members: ['ada', 'ben', 'cleo', 'dan'] } },
      },
    });
    await t.clock.travelTo(t.db, Temporal.Instant.from(NOW));
    await t.db.updateTable('users').set({ role: 'admin' }).execute();
    ada = await signIn(t, 'ada');
  });
  after(() => t?.end());
  beforeEach(async () => {
    await t.db.deleteFrom('availabilities').execute();
    await t.db.deleteFrom('schedules').execute();
  });

  async function call(method: string, path: string, body?: unknown) {
    const answer = await ada.call(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function make(name: string, handoff: string, members: string[], rest: object = {}) {
    const made = await call('POST', '/api/schedules', {
      ...{
        name,
        team: 'sre',
        time_zone: 'UTC',
        strategy: 'fair',
        plan_ahead_weeks: 2,
        count_elsewhere: true,
      },
      ...{ shifts: { every: 'day', handoff }, stages: [{ stage: 1, members: members.map(id) }], ...rest },
    });
    ids[name] = made.id;
    return made;
  }

  /** Shifts that have not started. */
  async function coming(name: string): Promise<Shift[]> {
    const { shifts } = await call('GET', `/api/schedules/${ids[name]}/shifts?from=${NOW}&to=${UNTIL}`);
    return (shifts as Shift[]).filter(({ starts_at }) => starts_at > NOW);
  }

  const of = (shifts: readonly Shift[], name: string) =>
    shifts.filter(({ person }) => person?.id === id(name));
  const apart = (one: Shift, other: Shift) =>
    Math.max(
      Date.parse(one.starts_at) - Date.parse(other.ends_at),
      Date.parse(other.starts_at) - Date.parse(one.ends_at),
    ) / 3_600_000;
  /** Pairs of a person's shifts in the two schedules with too little rest between them. */
  const tooClose = (a: readonly Shift[], b: readonly Shift[], hours: number) =>
    a.flatMap((one) =>
      b.filter((other) => {
        const between = apart(one, other);
        return one.person?.id === other.person?.id && between >= 0 && between < hours;
      }),
    );

  it('count for rest, and the reason names the schedule and the hour', async () => {
    await make('Payments', '08:00', ['ada', 'ben']);
    const made = await make('SRE', '09:00', ['ada', 'cleo', 'dan'], { rest_hours: 11 });
    assert.equal(made.count_elsewhere, true);
    const [payments, sre] = [await coming('Payments'), await coming('SRE')];
    assert.deepEqual(tooClose(payments, sre, 11), []);
    const before = of(payments, 'ada').find(({ ends_at }) => {
      const next = sre.find(({ starts_at }) => Date.parse(starts_at) - Date.parse(ends_at) === 3_600_000);
      return next && payments.every((one) => one.person?.id !== id('ada') || apart(one, next) >= 0);
    });
    assert.ok(before, 'a shift in Payments is followed by one of SRE');
    const next = sre.find(({ starts_at }) => starts_at > before.ends_at);
    const { reason } = await call('GET', `/api/shifts/${next?.id}/reason`);
    const hers = (reason.refused as Said[]).find(({ person }) => person.id === id('ada'));
    const day = Temporal.Instant.from(before.ends_at)
      .toZonedDateTimeISO('UTC')
      .toLocaleString('en-GB', {
        ...({ weekday: 'short', day: 'numeric', month: 'short' } as const),
      });
    assert.deepEqual(
      [hers?.because, hers?.sentence],
      [
        'rest',
        `Ada cannot: they are on call in Payments until ${day.replace(',', '')} 08:00, and this schedule asks for 11 hours of rest.`,
      ],
    );
    // A search for a replacement says the same.
    const { candidates } = await call('GET', `/api/shifts/${next?.id}/candidates`);
    const candidate = (candidates as Said[]).find(({ person }) => person.id === id('ada'));
    assert.deepEqual([candidate?.because, candidate?.sentence], ['rest', hers?.sentence]);
  });

  it('are not proposed for a cover without rest', async () => {
    await make('Payments', '08:00', ['ada']);
    await make('SRE', '09:00', ['ada', 'cleo'], { rest_hours: 11, elsewhere: 'never' });
    assert.deepEqual(of(await coming('SRE'), 'ada'), []);
    const { gaps } = await call('GET', `/api/schedules/${ids.SRE}/plan`);
    assert.match(
      gaps[0].sentence,
      /: Ada cannot: they are on call in Payments until Fri 4 Dec 08:00; Cleo has /,
    );
    const shift = of(await coming('SRE'), 'cleo')[0];
    await call('POST', '/api/availabilities', {
      ...{ person: id('cleo'), type: 'hard_unavailable', name: 'Away' },
      ...{ starts_at: shift?.starts_at, ends_at: shift?.ends_at },
    });
    await t.app.duties.runAll();
    const { covers } = await call('GET', `/api/schedules/${ids.SRE}/covers`);
    assert.deepEqual(
      (covers as { state: string; proposal: unknown }[]).map(({ state, proposal }) => [state, proposal]),
      [['open', null]],
    );
    t.receiver.inbox.takeAll();
  });

  it('count for limits and shares, until a schedule says otherwise', async () => {
    await make('Payments', '08:00', ['ada', 'ben']);
    await make('SRE', '09:00', ['ada', 'cleo', 'dan'], { elsewhere: 'allow' });
    const shared = of(await coming('SRE'), 'ada').length;
    const all = (await coming('SRE')).length;
    assert.ok(shared < all / 6, `${shared} of ${all}`);
    // Published shifts stay when the rule ends and starts again.
    const published = await coming('SRE');
    const preview = await call('POST', `/api/schedules/${ids.SRE}/preview`, { count_elsewhere: false });
    assert.deepEqual(preview.changes, [
      'planning: was shifts of other schedules do not matter, rest, limits and shares count shifts of other schedules, is shifts of other schedules do not matter',
    ]);
    assert.equal(preview.published.handed_over, 0);
    await call('PATCH', `/api/schedules/${ids.SRE}`, { count_elsewhere: false });
    assert.deepEqual(await coming('SRE'), published);
    await t.db.deleteFrom('schedules').where('name', '=', 'SRE').execute();
    await make('SRE', '09:00', ['ada', 'cleo', 'dan'], { elsewhere: 'allow', count_elsewhere: false });
    const alone = of(await coming('SRE'), 'ada').length;
    assert.ok(Math.abs(alone - all / 3) <= 1, `${alone} of ${all}`);
    await t.db.deleteFrom('schedules').where('name', '=', 'SRE').execute();
    await make('SRE', '09:00', ['ada', 'cleo', 'dan'], {
      elsewhere: 'allow',
      limits: { shifts_per_week: 3 },
    });
    const weekOf = ({ starts_at }: Shift) => Temporal.PlainDate.from(starts_at.slice(0, 10)).weekOfYear;
    const hers = [...of(await coming('SRE'), 'ada'), ...of(await coming('Payments'), 'ada')];
    const inPayments = Map.groupBy(of(await coming('Payments'), 'ada'), weekOf);
    for (const [week, own] of Map.groupBy(hers, weekOf))
      assert.ok(own.length <= Math.max(3, inPayments.get(week)?.length ?? 0), `week ${week}: ${own.length}`);
  });
});
