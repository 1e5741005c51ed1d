import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Cover } from '../src/covers/api-contract.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** A Wednesday; daily shifts are handed off at 09:00 UTC. */
const NOW = '2026-12-02T12:00:00Z';
const UNTIL = '2026-12-16T09:00:00Z';

type Who = { id: string; name: string };
type Shift = { id: string; stage: number; starts_at: string; ends_at: string; person: Who | null };
type Said = { because: string; sentence: string; person: Who };

describe('two juniors', () => {
  let t: Story;
  let schedule: string;
  const people = {} as Record<'ada' | 'alan' | 'grace' | 'joan', SignedIn>;
  const id = (name: string) => t.acme.users[name] ?? '';
  const path = (what = '') => `/api/schedules/${schedule}${what}`;
  const juniors = () => ['ada', 'alan'].map((name) => ({ person: id(name), level: 'junior' }));

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, alan: {}, grace: {}, joan: {} },
        teams: { sre: { members: ['ada', 'alan', 'grace', 'joan'] } },
      },
    });
    await t.clock.travelTo(t.db, Temporal.Instant.from(NOW));
    await t.db.updateTable('users').set({ role: 'member' }).execute();
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', id('grace'))
      .execute();
    for (const name of ['ada', 'alan', 'grace', 'joan'] as const) people[name] = await signIn(t, name);
  });
  after(() => t.end());
  beforeEach(async () => {
    await t.db.deleteFrom('availabilities').execute();
    await t.db.deleteFrom('schedules').execute();
  });

  async function make(body: object): Promise<string[]> {
    const made = await people.grace.call('POST', '/api/schedules', {
      ...{ name: 'SRE', team: 'sre', time_zone: 'UTC', strategy: 'fair', plan_ahead_weeks: 2 },
      shifts: { every: 'day', handoff: '09:00' },
      stages: [
        { stage: 1, members: ['ada', 'alan', 'grace'].map(id) },
        { stage: 2, members: ['ada', 'alan', 'joan'].map(id) },
      ],
      ...body,
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    schedule = made.body.id;
    return made.body.changes;
  }

  /** Shifts that have not started. */
  async function coming(): Promise<Shift[]> {
    const { body } = await people.grace.call('GET', path(`/shifts?from=${NOW}&to=${UNTIL}`));
    return (body.shifts as Shift[]).filter(({ starts_at }) => starts_at > NOW);
  }

  const nameOf = ({ person }: Shift) => person?.name.toLowerCase() ?? null;
  const isJunior = (shift: Shift) => ['ada', 'alan'].includes(nameOf(shift) ?? '');
  const meets = (one: Shift, other: Shift) =>
    one.id !== other.id && one.starts_at < other.ends_at && other.starts_at < one.ends_at;

  /** Pairs of juniors who are on call at the same time. */
  const pairs = (shifts: readonly Shift[]) =>
    shifts
      .filter(isJunior)
      .flatMap((one) =>
        shifts
          .filter((other) => isJunior(other) && one.id < other.id && meets(one, other))
          .map((other) => [one, other]),
      );

  /** A shift of Grace in stage 1 during Alan's shift in stage 2. */
  async function besideAlan(): Promise<{ graces: Shift; alans: Shift }> {
    const shifts = await coming();
    for (const graces of shifts.filter((shift) => nameOf(shift) === 'grace')) {
      const alans = shifts.find((shift) => nameOf(shift) === 'alan' && meets(shift, graces));
      if (alans) return { graces, alans };
    }
    throw new Error(`Grace and Alan are never on call together: ${JSON.stringify(shifts)}`);
  }

  it('are on call together until a schedule excludes it, and a preview shows the moves', async () => {
    await make({
      stages: [
        ['ada', 'grace'],
        ['alan', 'joan'],
      ].map(stageOf),
      people: juniors(),
    });
    const before = await coming();
    assert.ok(pairs(before).length > 0, 'nothing forbids it');
    const preview = await people.grace.call('POST', path('/preview'), { never_two_juniors: true });
    assert.equal(preview.status, 200, JSON.stringify(preview.body));
    assert.deepEqual(preview.body.changes, [
      'planning: was usual, is never two juniors on call at the same time',
    ]);
    assert.ok(preview.body.published.handed_over >= pairs(before).length);
    assert.deepEqual(await coming(), before, 'a preview changes nothing');
    const saved = await people.grace.call('PATCH', path(), { never_two_juniors: true });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    assert.deepEqual(saved.body.published, preview.body.published);
    const after = await coming();
    assert.deepEqual([pairs(after), after.filter(({ person }) => person === null)], [[], []]);
    const shown = (await people.grace.call('GET', path())).body;
    assert.deepEqual(
      [shown.never_two_juniors, shown.people],
      [
        true,
        juniors()
          .sort((a, b) => (a.person < b.person ? -1 : 1))
          .map((one) => ({ ...one, never: [] })),
      ],
    );
    const other = await people.grace.call('PATCH', path(), { name: 'Other' });
    assert.deepEqual([other.body.never_two_juniors, other.body.people.length], [true, 2], 'it stays');
    const off = await people.grace.call('PATCH', path(), { never_two_juniors: false, people: [] });
    assert.deepEqual([off.body.never_two_juniors, off.body.people], [false, []]);
    assert.match(off.body.changes.join(), /people: was Ada junior, Alan junior, is all alike/);
  });

  const stageOf = (names: readonly string[], index: number) => ({ stage: index + 1, members: names.map(id) });

  it('are refused if the level or the rule is misspelled', async () => {
    await make({});
    for (const [body, problem] of [
      [{ people: [{ person: id('ada'), level: 'senior' }] }, /people\[0\]\.level is "?senior"?.*junior/],
      [{ never_two_juniors: 'yes' }, /never_two_juniors is "?yes"?/],
    ] as const) {
      const refused = await people.grace.call('PATCH', path(), body);
      assert.equal(refused.status, 400);
      const messages = refused.body.details.map(({ field, message }: { field: string; message: string }) =>
        message.startsWith(field) ? message : `${field} ${message}`,
      );
      assert.match(messages.join(), problem);
    }
  });

  it('are explained in the reason of a shift, among the candidates and to managers who decide otherwise', async () => {
    const changes = await make({ never_two_juniors: true, people: juniors() });
    assert.match(changes.join(), /never two juniors on call at the same time.*Ada junior, Alan junior/);
    assert.deepEqual(pairs(await coming()), []);
    const { graces, alans } = await besideAlan();
    const sentence = 'Ada cannot: Alan, who is also junior, is on call then.';
    const { reason } = (await people.joan.call('GET', `/api/shifts/${graces.id}/reason`)).body;
    const refused = (reason.refused as Said[]).find(({ person }) => person.id === id('ada'));
    assert.deepEqual([refused?.because, refused?.sentence], ['junior', sentence]);
    const { candidates } = (await people.grace.call('GET', `/api/shifts/${graces.id}/candidates`)).body;
    const candidate = (candidates as Said[]).find(({ person }) => person.id === id('ada'));
    assert.deepEqual([candidate?.because, candidate?.sentence], ['junior', sentence]);
    const span = { starts_at: graces.starts_at, ends_at: graces.ends_at };
    const put = await people.grace.call('POST', path('/overrides'), { stage: 1, user: id('ada'), ...span });
    assert.equal(put.status, 201, JSON.stringify(put.body));
    assert.deepEqual(put.body.warnings, [sentence]);
    // The manager has decided, so the next plan keeps both shifts.
    await people.grace.call('PATCH', path(), { description: 'Planned again' });
    await t.app.duties.runAll();
    const [pair, ...others] = pairs(await coming());
    assert.deepEqual([pair?.map(nameOf).sort(), others], [['ada', 'alan'], []]);
    assert.ok(pair?.some((shift) => shift.id === alans.id || shift.starts_at === alans.starts_at));
  });

  it('give a warning in a swap or a hand-over that brings them together, and none in their own swap', async () => {
    await make({ never_two_juniors: true, people: juniors() });
    const { graces, alans } = await besideAlan();
    const adas = (await coming()).find((shift) => nameOf(shift) === 'ada' && shift.stage === 1);
    assert.ok(adas, 'Ada has stage 1, too');
    const ofJuniors = ({ body }: { body: { warnings?: string[] } }) =>
      (body.warnings ?? []).filter((warning) => warning.includes('junior'));
    const sentence = 'Ada cannot: Alan, who is also junior, is on call then.';
    const swap = async (who: SignedIn, mine: Shift, theirs: Shift) => {
      const asked = await who.call('POST', `/api/shifts/${mine.id}/swap`, { with: theirs.id });
      assert.equal(asked.status, 201, JSON.stringify(asked.body));
      return asked;
    };
    const together = await swap(people.grace, graces, adas);
    assert.deepEqual(ofJuniors(together), [sentence]);
    await people.grace.call('POST', `/api/swaps/${together.body.swap.id}/withdraw`);
    // Ada has Alan's shift then and he has hers, so they are not on call together.
    const own = await swap(people.ada, adas, alans);
    assert.deepEqual(ofJuniors(own), []);
    await people.ada.call('POST', `/api/swaps/${own.body.swap.id}/withdraw`);
    const handed = await people.grace.call('POST', `/api/shifts/${graces.id}/hand-over`, { to: id('ada') });
    assert.equal(handed.status, 200, JSON.stringify(handed.body));
    assert.deepEqual(ofJuniors(handed), [sentence]);
    assert.deepEqual(
      pairs(await coming()).map((pair) => pair.map(nameOf).sort()),
      [['ada', 'alan']],
    );
  });

  it('are not proposed together in a cover, even if that needs a further change', async () => {
    await make({ never_two_juniors: true, people: juniors() });
    const { graces, alans } = await besideAlan();
    const at = Temporal.Instant.from(NOW);
    await t.db
      .insertInto('availabilities')
      .values({
        ...{ id: 'availability_grace', organization_id: t.acme.id, user_id: id('grace') },
        ...{ type: 'hard_unavailable', name: 'Ill', created_at: at, updated_at: at },
        starts_at: Temporal.Instant.from(graces.starts_at),
        ends_at: Temporal.Instant.from(graces.ends_at),
      })
      .execute();
    await t.app.duties.runAll();
    const { covers } = (await people.grace.call('GET', path('/covers'))).body as { covers: Cover[] };
    const [cover] = covers;
    const moves = (cover?.proposal?.moves ?? []).map(
      ({ stage, loses, gains }) => `${stage}: ${loses?.name} to ${gains.name}`,
    );
    // One of them can have stage 1 only if Joan, who is not a junior, has stage 2 instead of Alan.
    assert.deepEqual(moves.length, 2, JSON.stringify({ moves, graces, alans }));
    assert.ok(moves.includes('2: Alan to Joan'), moves.join());
    assert.ok(
      moves.some((move) => /^1: Grace to (Ada|Alan)$/.test(move)),
      moves.join(),
    );
  });

  it('are one case: a schedule can name any people who are never on call together', async () => {
    const changes = await make({ never_together: [[id('grace'), id('joan')]] });
    assert.match(changes.join(), /never together (Grace and Joan|Joan and Grace)/);
    const shifts = await coming();
    assert.ok(shifts.every(({ person }) => person !== null));
    const both = (names: readonly string[]) =>
      shifts.some((one) =>
        shifts.some((other) => nameOf(one) === names[0] && nameOf(other) === names[1] && meets(one, other)),
      );
    assert.deepEqual([both(['grace', 'joan']), both(['ada', 'alan'])], [false, true]);
    const graces = shifts.find((shift) => nameOf(shift) === 'grace');
    const beside = shifts.find((other) => graces && meets(graces, other));
    assert.ok(graces && beside, 'Grace has a shift, and somebody has the other stage');
    const sentence = 'Joan cannot: Grace is on call then, and the two are never on call together.';
    const { reason } = (await people.joan.call('GET', `/api/shifts/${beside.id}/reason`)).body;
    const refused = (reason.refused as Said[]).find(({ person }) => person.id === id('joan'));
    assert.deepEqual([refused?.because, refused?.sentence], ['apart', sentence]);
    const { candidates } = (await people.grace.call('GET', `/api/shifts/${beside.id}/candidates`)).body;
    const candidate = (candidates as Said[]).find(({ person }) => person.id === id('joan'));
    assert.deepEqual([candidate?.because, candidate?.sentence], ['apart', sentence]);
    const span = { starts_at: beside.starts_at, ends_at: beside.ends_at };
    const put = await people.grace.call('POST', path('/overrides'), { stage: 2, user: id('joan'), ...span });
    assert.deepEqual([put.status, put.body.warnings], [201, [sentence]], JSON.stringify(put.body));
    const kept = await people.grace.call('PATCH', path(), { name: 'Other' });
    assert.deepEqual(kept.body.never_together, [[id('grace'), id('joan')]]);
    const off = await people.grace.call('PATCH', path(), { never_together: [] });
    assert.deepEqual(off.body.never_together, []);
    for (const [groups, problem] of [
      [[[id('ada')]], /never_together\[0\]/],
      [[[id('ada'), id('ada')]], /never_together\[0\]\[1\] is listed twice in its group/],
      [[[id('ada'), 'user_nobody']], /never_together\[0\]\[1\] is not the id of an active person/],
    ] as const) {
      const wrong = await people.grace.call('PATCH', path(), { never_together: groups });
      assert.equal(wrong.status, 400);
      const messages = wrong.body.details.map(({ field, message }: { field: string; message: string }) =>
        message.startsWith(field) ? message : `${field} ${message}`,
      );
      assert.match(messages.join(), problem);
    }
  });

  it('can be on call only with a senior, and plans, people and managers see who would be alone', async () => {
    const rule = { people: [id('ada'), id('alan')], with: [id('grace'), id('joan')] };
    const changes = await make({ only_with: [rule] });
    assert.match(changes.join(), /only with Ada and Alan with Grace or Joan/);
    const shifts = await coming();
    const isAlone = (one: Shift) =>
      isJunior(one) && !shifts.some((other) => meets(one, other) && person(other) && !isJunior(other));
    const person = (shift: Shift) => shift.person !== null;
    assert.ok(shifts.every(person) && shifts.some(isJunior), JSON.stringify(shifts));
    assert.deepEqual(shifts.filter(isAlone), []);
    const { graces } = await besideAlan();
    const alone = 'Ada cannot: they would be on call without Grace or Joan.';
    const { reason } = (await people.joan.call('GET', `/api/shifts/${graces.id}/reason`)).body;
    const refused = (reason.refused as Said[]).find((one) => one.person.id === id('ada'));
    assert.deepEqual([refused?.because, refused?.sentence], ['alone', alone]);
    const { candidates } = (await people.grace.call('GET', `/api/shifts/${graces.id}/candidates`)).body;
    const candidate = (candidates as Said[]).find((one) => one.person.id === id('ada'));
    assert.deepEqual([candidate?.because, candidate?.sentence], ['alone', alone]);
    const span = { starts_at: graces.starts_at, ends_at: graces.ends_at };
    const put = await people.grace.call('POST', path('/overrides'), { stage: 1, user: id('ada'), ...span });
    assert.deepEqual([put.status, put.body.warnings], [201, [alone]], JSON.stringify(put.body));
    const kept = await people.grace.call('PATCH', path(), { name: 'Other' });
    assert.deepEqual(kept.body.only_with, [rule]);
    const always = { with: [id('grace')] };
    const both = await people.grace.call('PATCH', path(), { only_with: [always] });
    assert.deepEqual(both.body.only_with, [{ people: null, with: [id('grace')] }]);
    assert.match(both.body.changes.join(), /only with: was .*, is anybody with Grace/);
    for (const [rules, problem] of [
      [[{ with: [] }], /only_with\[0\]\.with/],
      [[{ people: [], with: [id('ada')] }], /only_with\[0\]\.people/],
      [[{ with: [id('ada'), id('ada')] }], /only_with\[0\]\.with\[1\] is listed twice/],
      [
        [{ people: ['user_nobody'], with: [id('ada')] }],
        /only_with\[0\]\.people\[0\] is not the id of an active/,
      ],
      [[{ people: [id('ada')], with: [id('ada')] }], /only_with\[0\]\.with is a person of the same rule/],
    ] as const) {
      const wrong = await people.grace.call('PATCH', path(), { only_with: rules });
      assert.equal(wrong.status, 400, JSON.stringify(rules));
      const messages = wrong.body.details.map(({ field, message }: { field: string; message: string }) =>
        message.startsWith(field) ? message : `${field} ${message}`,
      );
      assert.match(messages.join(), problem);
    }
    const off = await people.grace.call('PATCH', path(), { only_with: [] });
    assert.deepEqual(off.body.only_with, []);
  });

  it('leave a shift open when no senior can be on call, and a cover leaves nobody alone', async () => {
    const stages = [['ada'], ['grace', 'joan']].map(stageOf);
    await make({ only_with: [{ people: [id('ada')], with: [id('grace')] }], stages });
    const shifts = await coming();
    assert.ok(
      shifts.every((one) => one.stage === 1 || nameOf(one) === 'grace'),
      'Ada needs Grace, always',
    );
    const [graces] = shifts.filter((shift) => nameOf(shift) === 'grace');
    assert.ok(graces);
    const offered = await people.grace.call('POST', `/api/shifts/${graces.id}/offer`);
    assert.equal(offered.status, 201, JSON.stringify(offered.body));
    await t.app.duties.runAll();
    const { covers } = (await people.grace.call('GET', path('/covers'))).body as { covers: Cover[] };
    assert.equal(covers[0]?.proposal ?? null, null, 'Joan would leave Ada alone');
    const { candidates } = (await people.grace.call('GET', `/api/shifts/${graces.id}/candidates`)).body;
    const joan = (candidates as Said[]).find((one) => one.person.id === id('joan'));
    assert.equal(joan?.sentence, 'Joan cannot: Ada would be on call without Grace.');
    await t.db.deleteFrom('schedules').execute();
    const at = Temporal.Instant.from(NOW);
    await t.db
      .insertInto('availabilities')
      .values({
        ...{ id: 'availability_graces', organization_id: t.acme.id, user_id: id('grace') },
        ...{ type: 'hard_unavailable', name: 'Holiday', created_at: at, updated_at: at },
        ...{ starts_at: at.add({ hours: 21 }), ends_at: at.add({ hours: 21 + 24 }) },
      })
      .execute();
    await make({ only_with: [{ people: [id('ada')], with: [id('grace')] }], stages });
    const { gaps } = (await people.grace.call('GET', path('/plan'))).body;
    assert.deepEqual(
      gaps.map(({ sentence }: { sentence: string }) => sentence),
      [
        'nobody can take stage 1 from 3 December 09:00 to 4 December 09:00: Ada cannot: they would be on call without Grace',
      ],
    );
  });

  it('are kept apart in a rotation, too', async () => {
    await make({ strategy: 'rotation', never_two_juniors: true, people: juniors() });
    const shifts = await coming();
    assert.deepEqual(pairs(shifts), []);
    assert.ok(shifts.some(isJunior) && shifts.every(({ person }) => person !== null), JSON.stringify(shifts));
    const { graces } = await besideAlan();
    const { candidates } = (await people.grace.call('GET', `/api/shifts/${graces.id}/candidates`)).body;
    const candidate = (candidates as Said[]).find(({ person }) => person.id === id('ada'));
    assert.equal(candidate?.because, 'junior');
  });
});
