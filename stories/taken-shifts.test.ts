import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Cover, CoversForMe } from '../src/covers/api-contract.ts';
import type { FairnessLine } from '../src/reports/api-contract.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** A Monday, an hour before the hand-off. */
const NOW = '2026-11-16T08:00:00Z';
const PEOPLE = ['ada', 'alan', 'grace', 'joan', 'ken', 'linus'] as const;
const DAY = 86_400_000;
const HOUR = 3_600_000;

type Shift = {
  stage: number;
  from: number;
  to: number;
  who: string | null;
  planned: string | null;
  isTaken: boolean;
};

describe('a person who takes over a shift', () => {
  let t: Story;
  const people = {} as Record<(typeof PEOPLE)[number], SignedIn>;
  let schedule: string;
  const id = (name: string) => t.acme.users[name] ?? '';
  const nameOf = (userId: string | null) => PEOPLE.find((name) => id(name) === userId) ?? null;
  const path = (what = '') => `/api/schedules/${schedule}${what}`;
  const begin = Temporal.Instant.from('2026-11-16T09:00:00Z').epochMilliseconds;

  before(async () => {
    t = await story({
      organization: {
        people: Object.fromEntries(PEOPLE.map((name) => [name, {}])),
        teams: { sre: { members: [...PEOPLE] } },
      },
    });
    await t.clock.travelTo(t.db, Temporal.Instant.from(NOW));
    await t.db.updateTable('users').set({ role: 'member' }).where('id', '<>', id('ada')).execute();
    await t.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id('ada')).execute();
    for (const name of PEOPLE) people[name] = await signIn(t, name);
  });
  after(() => t.end());
  beforeEach(async () => {
    await t.db.deleteFrom('availabilities').execute();
    await t.db.deleteFrom('schedules').execute();
  });

  async function make(body: object): Promise<void> {
    const made = await people.ada.call('POST', '/api/schedules', {
      ...{ name: 'SRE', team: 'sre', time_zone: 'UTC', backstop: id('ada') },
      ...body,
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    schedule = made.body.id;
  }

  async function edit(body: object): Promise<void> {
    const saved = await people.ada.call('PATCH', path(), body);
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
  }

  async function override(who: string, stage: number, from: number, to: number): Promise<string[]> {
    const body = { user: id(who), stage, starts_at: iso(from), ends_at: iso(to) };
    const made = await people.ada.call('POST', path('/overrides'), body);
    assert.ok(made.status < 300, JSON.stringify(made.body));
    return made.body.warnings;
  }

  const iso = (ms: number) => new Date(ms).toISOString();

  async function shifts(): Promise<Shift[]> {
    const rows = await t.db
      .selectFrom('shifts')
      .selectAll()
      .where('schedule_id', '=', schedule)
      .orderBy('starts_at')
      .execute();
    return rows.map((row) => ({
      ...{ stage: Number(row.stage), who: nameOf(row.user_id), planned: nameOf(row.planned_user_id) },
      ...{ from: row.starts_at.epochMilliseconds, to: row.ends_at.epochMilliseconds },
      isTaken: row.override_id !== null,
    }));
  }

  /** The shifts that each person actually has. */
  const counts = (all: readonly Shift[], among: readonly string[]) =>
    Object.fromEntries(among.map((name) => [name, all.filter(({ who }) => who === name).length]));

  async function figures(from: number, to: number): Promise<Map<string, FairnessLine>> {
    const query = `from=${iso(from)}&to=${iso(to)}&schedule=${schedule}`;
    const { status, body } = await people.ada.call('GET', `/api/reports/fairness?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return new Map(body.people.map((line: FairnessLine) => [nameOf(line.person.id) ?? '', line]));
  }

  for (const strategy of ['fair', 'rotation'] as const)
    it(`is in no other stage at that time, and rests before and after, in a ${strategy} schedule`, async () => {
      const stage = (number: number) => ({ stage: number, members: PEOPLE.map(id) });
      await make({
        ...{ strategy, plan_ahead_weeks: 1, rest_hours: 11, shifts: { every: 'day', handoff: '09:00' } },
        stages: [stage(1), stage(2)],
      });
      // Beyond the end of the plan, each with another person, so that no person has two shifts close together.
      for (const [index, day] of [12, 13, 15, 16, 18, 19, 21, 22].entries()) {
        const who = PEOPLE[index % PEOPLE.length] ?? 'ada';
        await override(who, 2, begin + day * DAY, begin + (day + 1) * DAY);
      }
      await edit({ plan_ahead_weeks: 4 });
      const all = (await shifts()).filter(({ from }) => from >= begin);
      assert.equal(all.filter(({ isTaken }) => isTaken).length, 8);
      for (const one of all)
        for (const other of all) {
          if (one === other || one.who === null || one.who !== other.who || other.from < one.from) continue;
          const text = `${one.who}: stage ${one.stage} ${iso(one.from)}, stage ${other.stage} ${iso(other.from)}`;
          assert.ok(other.from - one.to >= 11 * HOUR, text);
        }
    });

  it('gets the credit for it in the next plan, like in the reports', async () => {
    const crew = ['alan', 'grace', 'joan', 'ken'];
    await make({
      ...{ strategy: 'fair', plan_ahead_weeks: 8, rest_hours: 0 },
      shifts: { every: 'week', handoff: 'Monday 09:00' },
      stages: [{ stage: 1, members: crew.map(id) }],
    });
    const published = (await shifts()).filter(({ from }) => from >= begin);
    for (const { from, to } of published.filter(({ who }) => who === 'joan'))
      await override('alan', 1, from, to);
    const taken = counts(
      (await shifts()).filter(({ from }) => from >= begin),
      crew,
    );
    assert.deepEqual([taken.joan, taken.alan], [0, 4]);
    await edit({ plan_ahead_weeks: 16 });
    const all = (await shifts()).filter(({ from }) => from >= begin);
    assert.deepEqual(
      all.slice(0, published.length).map(({ planned }) => planned),
      published.map(({ planned }) => planned),
      'what is published stands',
    );
    const had = counts(all, crew);
    assert.ok(Math.max(...Object.values(had)) - Math.min(...Object.values(had)) <= 1, JSON.stringify(had));
    const lines = await figures(begin, all.at(-1)?.to ?? begin);
    for (const name of crew) assert.equal(lines.get(name)?.shifts, had[name], name);
    for (const line of lines.values()) assert.ok(Math.abs(line.balance ?? 0) <= 1, JSON.stringify(line));
  });

  it("has the nights by the clock of the schedule, in the timeline's load and in reports", async () => {
    await make({
      ...{ strategy: 'fair', plan_ahead_weeks: 2, rest_hours: 0, time_zone: 'Asia/Tokyo' },
      shifts: { every: 'day', handoff: '03:00' },
      stages: [{ stage: 1, members: ['alan', 'joan'].map(id) }],
    });
    const [from, to] = [begin, begin + 7 * DAY];
    // Midnight to 06:00 UTC is daytime in Tokyo, so it is not a night.
    await override('grace', 1, begin + 15 * HOUR, begin + 21 * HOUR);
    // This is a whole night in Tokyo.
    await override('ken', 1, begin + 28 * HOUR, begin + 36 * HOUR);
    const answer = await people.ada.call('GET', path(`/shifts?from=${iso(from)}&to=${iso(to)}`));
    assert.equal(answer.status, 200);
    const load = new Map(
      answer.body.load.map((one: { person_id: string; nights: number }) => [
        nameOf(one.person_id),
        one.nights,
      ]),
    );
    assert.deepEqual([load.get('grace'), load.get('ken')], [0, 1]);
    const lines = await figures(from, to);
    assert.equal(lines.get('grace')?.hours_by_kind.night, 0);
    assert.equal(lines.get('ken')?.hours_by_kind.night, 8);
  });

  it('by a cover gets the same credit, and for part of a shift a part of it', async () => {
    const crew = ['alan', 'grace', 'joan', 'ken'];
    await make({
      ...{ strategy: 'fair', plan_ahead_weeks: 8, rest_hours: 0, cover: 'propose' },
      shifts: { every: 'week', handoff: 'Monday 09:00' },
      stages: [{ stage: 1, members: crew.map(id) }],
    });
    const published = (await shifts()).filter(({ from }) => from >= begin);
    const joans = published.filter(({ who }) => who === 'joan');
    const last = joans.at(-1);
    assert.ok(last);
    const half = last.from + 3.5 * DAY;
    for (const [index, { from, to }] of [...joans.slice(0, -1), { from: last.from, to: half }].entries())
      await t.db
        .insertInto('availabilities')
        .values({
          ...{ id: `availability_${index}`, organization_id: t.acme.id, user_id: id('joan') },
          ...{ type: 'hard_unavailable', name: 'Away' },
          starts_at: Temporal.Instant.fromEpochMilliseconds(from),
          ends_at: Temporal.Instant.fromEpochMilliseconds(to),
          ...{ created_at: Temporal.Instant.from(NOW), updated_at: Temporal.Instant.from(NOW) },
        })
        .execute();
    await t.app.duties.runAll();
    const open: CoversForMe = (await people.joan.call('GET', '/api/covers')).body;
    const mine = open.mine as Cover[];
    assert.equal(mine.length, joans.length);
    for (const { id: cover } of mine) {
      const answer = await people.alan.call('POST', `/api/covers/${cover}/take`, {});
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    }
    await edit({ plan_ahead_weeks: 16 });
    const all = (await shifts()).filter(({ from }) => from >= begin);
    const lines = await figures(begin, all.at(-1)?.to ?? begin);
    const shares = crew.map((name) => lines.get(name)?.shifts ?? 0);
    assert.equal(
      shares.reduce((sum, one) => sum + one, 0),
      published.length + 8,
    );
    assert.ok(Math.max(...shares) - Math.min(...shares) <= 1.5, JSON.stringify(shares));
    assert.equal((lines.get('alan')?.shifts ?? 0) % 1, 0.5, 'half a shift is half a shift');
  });
});
