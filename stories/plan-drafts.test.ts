import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Draft, DraftAnswer, PlanAnswer } from '../src/planning/plan-api-contract.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** A Friday. */
const NOW = '2026-11-20T12:00:00Z';
const PEOPLE = ['ada', 'alan', 'grace', 'joan'] as const;

describe('a draft of a plan', () => {
  let t: Story;
  const by = {} as Record<(typeof PEOPLE)[number], SignedIn>;
  let schedule: string;
  const id = (name: string) => t.acme.users[name] ?? '';
  const path = (what = '') => `/api/schedules/${schedule}/plan${what}`;

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
    for (const name of PEOPLE) by[name] = await signIn(t, name);
  });
  after(() => t.end());
  beforeEach(async () => {
    await t.db.deleteFrom('availabilities').execute();
    await t.db.deleteFrom('schedules').execute();
    await t.db.deleteFrom('notices').execute();
    const made = await by.ada.call('POST', '/api/schedules', {
      ...{ name: 'SRE', team: 'sre', time_zone: 'Europe/Berlin', backstop: id('grace'), strategy: 'fair' },
      ...{ plan_ahead_weeks: 8, shifts: { every: 'week', handoff: 'Monday 09:00' } },
      stages: [{ stage: 1, members: ['ada', 'alan', 'joan'].map(id) }],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    schedule = made.body.id;
  });

  const read = async (): Promise<Draft | null> =>
    ((await by.joan.call('GET', path('/draft'))).body as DraftAnswer).draft;

  async function draft(body = {}): Promise<Draft> {
    const begun = await by.ada.call('POST', path('/draft'), body);
    assert.equal(begun.status, 201, JSON.stringify(begun.body));
    assert.equal(begun.body.draft.state, 'waiting');
    assert.deepEqual(begun.body.draft.progress, {
      ...{ seconds: 0, limit_seconds: 10, objective: null, gap: null },
    });
    await t.app.duties.runAll();
    const made = await read();
    assert.equal(made?.state, 'draft', JSON.stringify(made));
    return made as Draft;
  }

  const holders = async () =>
    (
      await t.db
        .selectFrom('shifts')
        .select(['starts_at', 'planned_user_id'])
        .where('schedule_id', '=', schedule)
        .orderBy('starts_at')
        .execute()
    ).map(({ starts_at, planned_user_id }) => `${starts_at} ${planned_user_id}`);

  /** Alan prefers not to be on call from December on. */
  async function alanWouldRatherNot(): Promise<string[]> {
    const rows = await t.db
      .selectFrom('shifts')
      .selectAll()
      .where('planned_user_id', '=', id('alan'))
      .where('starts_at', '>', Temporal.Instant.from('2026-12-01T00:00:00Z'))
      .orderBy('starts_at')
      .execute();
    const [hit] = rows;
    assert.ok(hit);
    const answer = await by.alan.call('POST', '/api/availabilities', {
      ...{ type: 'soft_unavailable', name: 'Concert' },
      starts_at: hit.starts_at.toString(),
      ends_at: hit.ends_at.toString(),
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return [hit.id];
  }

  it('shows the changes, and changes nothing until it is published', async () => {
    const [hit = ''] = await alanWouldRatherNot();
    const before = await holders();
    const made = await draft({ from: '2026-12-01T00:00:00Z' });
    assert.deepEqual(await holders(), before);
    assert.equal(made.figures?.origin, 'optimal');
    assert.match(made.figures?.sentence ?? '', /^no better plan is possible \(proven in [\d.]+ s\)$/);
    assert.match(made.figures?.solver ?? '', /^HiGHS \d/);
    assert.equal(made.outdated, null);
    const { changes, people, shifts, summary } = made.preview ?? assert.fail();
    assert.ok(changes.length >= 1 && changes.length <= 3, JSON.stringify(changes));
    assert.match(summary, /^\d+ shifts? changes? hands, which concerns \d people\.$/);
    assert.ok(changes.some(({ before: was }) => was?.id === id('alan')));
    const alan = people.find(({ person }) => person.id === id('alan'));
    assert.match(alan?.sentence ?? '', /loses \d shifts? \(\d+ nights, \d weekends?\)/);
    assert.ok(shifts.every(({ reason }) => reason === null || reason.sentence.length > 0));

    const published = await by.ada.call('POST', path('/publish'), { draft: made.id });
    assert.equal(published.status, 200, JSON.stringify(published.body));
    assert.equal((published.body as PlanAnswer).plan?.id, made.id);
    assert.equal((published.body as PlanAnswer).plan?.published_by?.id, id('ada'));
    assert.equal(await read(), null);
    const row = await t.db.selectFrom('shifts').selectAll().where('id', '=', hit).executeTakeFirst();
    assert.notEqual(row?.planned_user_id, id('alan'));
    const notices = await t.db
      .selectFrom('notices')
      .selectAll()
      .where('kind', '=', 'shift.changed')
      .execute();
    const told = new Set(changes.flatMap((change) => [change.before?.id, change.after?.id]));
    assert.deepEqual(new Set(notices.map(({ user_id }) => user_id)), told);
    assert.match(notices[0]?.text ?? '', /published a new plan of SRE\.\nYou are (now|no longer) on call/);

    const reason = await by.joan.call('GET', `/api/shifts/${hit}/reason`);
    assert.equal(reason.status, 200);
    assert.match(reason.body.reason.sentence, /^With \w+, shifts are shared most equally/);
    const alternative = reason.body.reason.others.find(
      ({ person }: { person: { id: string } }) => person.id === id('alan'),
    );
    assert.match(
      alternative.sentence,
      /^alan could have it, but alan prefers not to be on call at that time/i,
    );
    // Published shifts stay as they are.
    const settled = await holders();
    await t.app.duties.runAll();
    assert.deepEqual(await holders(), settled);
  });

  it('is not published if its input changed', async () => {
    const made = await draft();
    await alanWouldRatherNot();
    assert.match((await read())?.outdated ?? '', /changed since the draft was made; make a new draft/);
    const before = await holders();
    const refused = await by.ada.call('POST', path('/publish'), { draft: made.id });
    assert.equal(refused.status, 409);
    assert.match(
      refused.body.details[0].message,
      /^draft cannot be published: Shifts, absences, people or settings/,
    );
    assert.deepEqual(await holders(), before);
    const again = await draft();
    assert.notEqual(again.id, made.id);
    assert.equal((await by.ada.call('POST', path('/publish'), { draft: made.id })).status, 409);
    assert.equal((await by.ada.call('POST', path('/publish'), { draft: again.id })).status, 200);
  });

  it('is not published after the time from which it plans', async () => {
    const made = await draft({ from: '2026-11-23T00:00:00Z' });
    await t.clock.travelTo(t.db, Temporal.Instant.from('2026-11-23T01:00:00Z'));
    assert.match((await read())?.outdated ?? '', /has passed/);
    assert.equal((await by.ada.call('POST', path('/publish'), { draft: made.id })).status, 409);
    await t.clock.travelTo(t.db, Temporal.Instant.from(NOW));
  });

  it('keeps shifts that begin before its time, and shifts with an override', async () => {
    const before = await holders();
    // Somebody agreed to cover for the person who has the week of 14 December.
    const taken = await by.ada.call('POST', `/api/schedules/${schedule}/overrides`, {
      ...{ stage: 1, user: id('grace') },
      ...{ starts_at: '2026-12-16T00:00:00Z', ends_at: '2026-12-17T00:00:00Z' },
    });
    assert.equal(taken.status, 201, JSON.stringify(taken.body));
    for (const [from, to] of [
      ['2026-12-07T08:00:00Z', '2026-12-14T08:00:00Z'],
      ['2026-12-14T08:00:00Z', '2026-12-21T08:00:00Z'],
    ])
      for (const name of ['ada', 'alan'] as const)
        await by[name].call('POST', '/api/availabilities', {
          ...{ type: 'soft_unavailable', name: 'Busy', starts_at: from, ends_at: to },
        });
    const { preview } = await draft({ from: '2026-12-07T00:00:00Z' });
    assert.ok(preview?.shifts.every(({ starts_at }) => starts_at >= '2026-12-07'));
    const locked = preview?.shifts.find(({ starts_at }) => starts_at.startsWith('2026-12-14'));
    const planned = before.find((line) => line.startsWith('2026-12-14'));
    assert.equal(`2026-12-14T08:00:00Z ${locked?.person?.id}`, planned);
    assert.equal(preview?.shifts.length, before.filter((line) => line >= '2026-12-07').length);
  });

  it('can be discarded, and a new one replaces it', async () => {
    await draft();
    assert.equal((await by.ada.call('POST', path('/discard'), {})).body.draft, null);
    assert.equal(await read(), null);
    const first = await draft();
    const second = await draft();
    assert.notEqual(first.id, second.id);
    const states = await t.db
      .selectFrom('plans')
      .select('state')
      .where('schedule_id', '=', schedule)
      .execute();
    assert.equal(states.filter(({ state }) => state === 'discarded').length, 2);
  });

  it('is taken over if the node that solved it died', async () => {
    await by.ada.call('POST', path('/draft'), {});
    await t.db
      .updateTable('plans')
      .set({ state: 'solving', leased_until: Temporal.Instant.from(NOW).subtract({ seconds: 1 }) })
      .where('state', '=', 'waiting')
      .execute();
    await t.app.duties.runAll();
    assert.equal((await read())?.state, 'draft');
  });

  it('is for managers of the team; others can view it, and other organizations see nothing', async () => {
    const made = await draft();
    for (const [what, body] of [
      ['/draft', {}],
      ['/publish', { draft: made.id }],
      ['/discard', {}],
    ] as const)
      assert.equal((await by.joan.call('POST', path(what), body)).status, 403);
    assert.equal((await by.joan.call('GET', path())).status, 200);
    assert.equal((await by.joan.call('GET', '/api/schedules/schedule_unknown/plan')).status, 404);
    assert.equal((await by.joan.call('GET', '/api/shifts/shift_unknown/reason')).status, 404);
    const past = await by.ada.call('POST', path('/draft'), { from: '2026-11-01T00:00:00Z' });
    assert.equal(past.status, 400);
    assert.match(past.body.details[0].message, /^from is in the past; give a future time/);
  });

  it('describes in words when nobody can be on call, and who answers instead', async () => {
    for (const name of ['ada', 'alan', 'joan'] as const) {
      const answer = await by[name].call('POST', '/api/availabilities', {
        ...{ type: 'hard_unavailable', name: 'Offsite' },
        ...{ starts_at: '2026-12-24T00:00:00Z', ends_at: '2026-12-27T00:00:00Z' },
      });
      assert.equal(answer.status, 201);
    }
    const made = await draft();
    const [gap] = made.preview?.gaps ?? [];
    assert.equal(gap?.backstop?.id, id('grace'));
    assert.match(
      gap?.sentence ?? '',
      /^nobody can take stage 1 from 24 December 01:00 to 27 December 01:00: \w+ is away until 27 December 01:00; /i,
    );
  });
});
