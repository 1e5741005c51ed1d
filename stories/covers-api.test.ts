import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Cover, CoversForMe } from '../src/covers/api-contract.ts';
import { seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';
import { weeklySchedule } from '../testing/weekly-schedule.ts';

/** A Wednesday. Weeks from Monday 09:00 UTC: ada has this one, alan the next, joan the one after; grace stage 2. */
const NOW = '2026-12-02T12:00:00Z';
const ALANS = { from: '2026-12-07T09:00:00.000Z', to: '2026-12-14T09:00:00.000Z' };

describe('changes of shifts by people', () => {
  let t: Story;
  const people = {} as Record<'ada' | 'alan' | 'joan' | 'grace' | 'linus', SignedIn>;
  let schedule: string;

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, alan: {}, joan: {}, grace: {}, linus: {}, ken: {} },
        teams: { sre: { members: ['ada', 'alan', 'joan', 'grace'] } },
      },
    });
    await t.clock.travelTo(t.db, Temporal.Instant.from(NOW));
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', id('grace'))
      .execute();
    await t.db.updateTable('users').set({ role: 'member' }).execute();
    for (const name of ['ada', 'alan', 'joan', 'grace', 'linus'] as const)
      people[name] = await signIn(t, name);
  });
  after(() => t.end());
  beforeEach(async () => {
    await t.db.deleteFrom('availabilities').execute();
    await t.db.deleteFrom('schedules').execute();
    await t.db.deleteFrom('notices').execute();
    schedule = await weeklySchedule(t, {
      stages: [
        ['ada', 'alan', 'joan'],
        ['grace', 'linus'],
      ],
    });
  });

  const id = (name: string) => t.acme.users[name] ?? '';
  const name = (userId: string | null) =>
    Object.entries(t.acme.users).find(([, known]) => known === userId)?.[0] ?? userId;

  async function line(stage = 1): Promise<string[]> {
    const rows = await t.db
      .selectFrom('shifts')
      .selectAll()
      .where('schedule_id', '=', schedule)
      .where('stage', '=', stage)
      .orderBy('starts_at')
      .limit(6)
      .execute();
    return rows.map(({ starts_at, user_id }) => `${starts_at.toString().slice(5, 13)} ${name(user_id)}`);
  }

  async function shiftOf(who: string, stage = 1): Promise<string> {
    const row = await t.db
      .selectFrom('shifts')
      .select('id')
      .where('schedule_id', '=', schedule)
      .where('stage', '=', stage)
      .where('user_id', '=', id(who))
      .orderBy('starts_at')
      .executeTakeFirstOrThrow();
    return row.id;
  }

  async function away(who: string, from: string, to: string): Promise<string> {
    const at = Temporal.Instant.from(NOW);
    const row = { id: `availability_${who}${from}`, organization_id: t.acme.id, user_id: id(who) };
    await t.db
      .insertInto('availabilities')
      .values({
        ...row,
        type: 'hard_unavailable',
        name: 'Holiday',
        starts_at: Temporal.Instant.from(from),
        ends_at: Temporal.Instant.from(to),
        created_at: at,
        updated_at: at,
      })
      .execute();
    await t.app.duties.runAll();
    return row.id;
  }

  async function told(): Promise<string[]> {
    const rows = await t.db.selectFrom('notices').selectAll().orderBy('id').execute();
    await t.db.deleteFrom('notices').execute();
    return rows.map(({ user_id, kind }) => `${name(user_id)} ${kind}`).sort();
  }

  const forMe = async (who: SignedIn): Promise<CoversForMe> => (await who.call('GET', '/api/covers')).body;
  const refusal = (answer: { body: { details: { message: string }[] } }) =>
    answer.body.details.map(({ message }) => message).join(' ');

  it('an absence opens a proposal; the first person who takes the shift has it, and the other is notified', async () => {
    await away('alan', '2026-12-08T00:00:00Z', '2026-12-09T00:00:00Z');
    const { mine, to_decide } = await forMe(people.alan);
    assert.equal(mine.length, 1);
    assert.deepEqual(to_decide, []);
    const [cover] = (await forMe(people.joan)).asked.concat((await forMe(people.ada)).asked) as [Cover];
    assert.equal(cover.state, 'proposed');
    assert.equal(cover.proposal?.proven, true);
    assert.match(
      cover.sentence,
      /^\w+ is away in stage 1, Tue 8 Dec 00:00 to Wed 9 Dec 00:00 \(times in UTC\): \w+ could take it\.$/,
    );
    assert.equal((await forMe(people.grace)).to_decide.length, 1);
    assert.deepEqual((await forMe(people.linus)).open, []);
    // Duties run first, so that other notices about the new schedule are sent before the notices of the cover are
    // checked.
    await t.app.duties.runAll();
    await told();
    const answers = await Promise.all(
      [people.ada, people.joan].map((who) => who.call('POST', `/api/covers/${cover.id}/take`, {})),
    );
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    assert.deepEqual([won?.status, lost?.status], [200, 409]);
    assert.equal(won?.body.cover.state, 'taken');
    assert.match(
      refusal(lost as never),
      /^cover was already taken by (ada|joan); reload to see the current state\.$/i,
    );
    const winner = name(won?.body.cover.taken_by.id);
    assert.deepEqual((await line()).slice(1, 4), ['12-07T09 alan', `12-08T00 ${winner}`, '12-09T00 alan']);
    assert.ok((await told()).includes('alan shift.lost'));
    await t.app.duties.runAll();
    // Joan's new shift starts within a week; Ada's own does so anyway.
    const ofTheTaker = winner === 'joan' ? ['grace person.unreachable', 'joan person.unreachable'] : [];
    assert.deepEqual(await told(), ofTheTaker);
  });

  it('a part is taken, and a replacement for the rest is sought', async () => {
    const offered = await people.alan.call('POST', `/api/shifts/${await shiftOf('alan')}/offer`, {
      note: 'Wedding',
    });
    assert.equal(offered.status, 201, JSON.stringify(offered.body));
    const { cover } = offered.body;
    assert.deepEqual(
      [cover.state, cover.cause, cover.note, cover.asked_by.id],
      ['proposed', 'asked', 'Wedding', id('alan')],
    );
    const half = { starts_at: ALANS.from, ends_at: '2026-12-10T09:00:00Z' };
    const taken = await people.ada.call('POST', `/api/covers/${cover.id}/take`, half);
    assert.equal(taken.status, 200, JSON.stringify(taken.body));
    assert.deepEqual((await line()).slice(0, 3), ['11-30T09 ada', '12-07T09 ada', '12-10T09 alan']);
    const { body } = await people.alan.call('GET', `/api/schedules/${schedule}/covers`);
    assert.deepEqual(
      body.covers.map((one: Cover) => [one.state, one.starts_at, one.ends_at]),
      [
        ['taken', ALANS.from, '2026-12-10T09:00:00.000Z'],
        ['proposed', '2026-12-10T09:00:00.000Z', ALANS.to],
      ],
    );
    const again = await people.alan.call('POST', `/api/shifts/${await shiftOf('alan')}/offer`, {});
    assert.equal(again.status, 409);
    assert.match(refusal(again), /already has a cover for part of that time/);
  });

  it('the proposed person may decline; then another person is proposed, and at last nobody', async () => {
    const { body } = await people.alan.call('POST', `/api/shifts/${await shiftOf('alan')}/offer`, {
      to: id('joan'),
    });
    assert.equal(body.cover.proposal.asked_by.id, id('alan'));
    const { proposal } = await t.db
      .selectFrom('covers')
      .select('proposal')
      .where('id', '=', body.cover.id)
      .executeTakeFirstOrThrow();
    assert.equal((proposal as { askedBy?: string }).askedBy, id('alan'), 'nodes of older releases read it');
    const declined = await people.joan.call('POST', `/api/covers/${body.cover.id}/decline`);
    assert.equal(declined.body.cover.proposal.moves[0].gains.id, id('ada'));
    const last = await people.ada.call('POST', `/api/covers/${body.cover.id}/decline`);
    assert.deepEqual([last.body.cover.state, last.body.cover.proposal], ['open', null]);
    assert.ok((await told()).includes('grace cover.open'));
    const asked = await people.alan.call('POST', `/api/covers/${body.cover.id}/offer`, { to: id('joan') });
    assert.equal(asked.body.cover.state, 'proposed');
    const applied = await people.joan.call('POST', `/api/covers/${body.cover.id}/apply`);
    assert.equal(applied.status, 200, JSON.stringify(applied.body));
    assert.deepEqual((await line())[1], '12-07T09 joan');
    const late = await people.alan.call('POST', `/api/covers/${body.cover.id}/withdraw`);
    assert.match(refusal(late), /was already taken by joan/i);
  });

  it('the person who made an offer can withdraw it; a cover for an absence ends with the absence', async () => {
    const { body } = await people.alan.call('POST', `/api/shifts/${await shiftOf('alan')}/offer`, {});
    assert.equal((await people.joan.call('POST', `/api/covers/${body.cover.id}/withdraw`)).status, 403);
    const withdrawn = await people.alan.call('POST', `/api/covers/${body.cover.id}/withdraw`);
    assert.equal(withdrawn.body.cover.state, 'withdrawn');
    await away('joan', '2026-12-14T09:00:00Z', '2026-12-15T09:00:00Z');
    const [cover] = (await forMe(people.joan)).mine;
    const refused = await people.joan.call('POST', `/api/covers/${cover?.id}/withdraw`);
    assert.match(refusal(refused), /was opened by an absence/);
  });

  it('nobody can override the rules; managers may propose people who are not members', async () => {
    await away('joan', '2026-12-08T00:00:00Z', '2026-12-09T00:00:00Z');
    const shift = await shiftOf('alan');
    const hand = (who: SignedIn, to: string, body = {}) =>
      who.call('POST', `/api/shifts/${shift}/hand-over`, { to: id(to), ...body });
    assert.match(
      refusal(await hand(people.alan, 'joan')),
      /^joan is away from Tue 8 Dec 00:00 to Wed 9 Dec/i,
    );
    assert.match(refusal(await hand(people.alan, 'linus')), /is on call in stage 2 at that time/i);
    assert.match(refusal(await hand(people.grace, 'linus')), /is on call in stage 2 at that time/i);
    assert.equal((await hand(people.joan, 'ada')).status, 403);
    const late = { starts_at: '2026-12-13T09:00:00Z', ends_at: '2026-12-12T09:00:00Z' };
    assert.match(refusal(await hand(people.alan, 'ada', late)), /is not after starts_at/);
    assert.match(refusal(await hand(people.alan, 'alan')), /already has this shift/);
    const strange = await people.alan.call('POST', `/api/shifts/${shift}/hand-over`, {
      to: 'organization_user_x',
    });
    assert.equal(strange.status, 400);
    const lineBefore = await line();
    const outsider = await people.alan.call('GET', `/api/shifts/${shift}/candidates`);
    assert.deepEqual(
      outsider.body.candidates.map((one: { person: { id: string }; because: string | null }) => [
        name(one.person.id),
        one.because,
      ]),
      [
        ['ada', null],
        ['joan', 'away'],
        ['grace', 'not_member'],
        ['linus', 'busy'],
      ].sort((a, b) => Number(a[1] !== null) - Number(b[1] !== null)),
    );
    assert.deepEqual(await line(), lineBefore);
  });

  it('the current shift is handed over from now on for a while, and then returns', async () => {
    const until = '2026-12-03T08:00:00Z';
    const answer = await people.ada.call('POST', `/api/shifts/${await shiftOf('ada')}/hand-over`, {
      to: id('alan'),
      ends_at: until,
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual((await line()).slice(0, 3), ['11-30T09 ada', '12-02T12 alan', '12-03T08 ada']);
    assert.deepEqual(await told(), ['alan shift.gained']);
    const { body } = await t.get(`/schedules/${schedule}/oncalls`);
    const oncalls = body.oncalls as { stage: number; user: { name: string } }[];
    assert.match(oncalls.find(({ stage }) => stage === 1)?.user.name ?? '', /^alan$/i);
  });

  it('two people swap only when the second one agrees', async () => {
    const body = { with: await shiftOf('joan'), note: 'Please' };
    const mine = await shiftOf('alan');
    const asked = await people.alan.call('POST', `/api/shifts/${mine}/swap`, body);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    const { swap } = asked.body;
    assert.deepEqual(await told(), ['joan swap.asked']);
    assert.match(
      swap.sentence,
      /^Alan\b[^()]* gives [^()]*, and takes [^()]* from Joan\b[^()]* \(times in [^()]+\)\.$/,
    );
    assert.deepEqual((await line()).slice(1, 3), ['12-07T09 alan', '12-14T09 joan']);
    assert.equal((await people.alan.call('POST', `/api/swaps/${swap.id}/accept`)).status, 403);
    assert.equal((await forMe(people.joan)).swaps[0]?.may.accept, true);
    const answers = await Promise.all(
      ['accept', 'accept'].map((act) => people.joan.call('POST', `/api/swaps/${swap.id}/${act}`)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.deepEqual((await line()).slice(1, 3), ['12-07T09 joan', '12-14T09 alan']);
    const declined = await people.alan.call('POST', `/api/shifts/${await shiftOf('alan')}/swap`, {
      with: await shiftOf('joan'),
    });
    const no = await people.joan.call('POST', `/api/swaps/${declined.body.swap.id}/decline`);
    assert.equal(no.body.swap.state, 'declined');
  });

  it('a swap is refused if a shift changed hands meanwhile, or somebody is away', async () => {
    const [alans, joans] = [await shiftOf('alan'), await shiftOf('joan')];
    const { body } = await people.alan.call('POST', `/api/shifts/${alans}/swap`, { with: joans });
    await people.joan.call('POST', `/api/shifts/${joans}/hand-over`, { to: id('ada') });
    const shown = await people.joan.call('GET', `/api/swaps/${body.swap.id}`);
    assert.deepEqual([shown.body.swap.may.accept, shown.body.swap.may.decline], [false, true]);
    const refused = await people.joan.call('POST', `/api/swaps/${body.swap.id}/accept`);
    assert.match(refusal(refused), /was given to somebody else in the meantime/);
    await away('alan', '2026-12-14T09:00:00Z', '2026-12-15T09:00:00Z');
    const other = await people.alan.call('POST', `/api/shifts/${alans}/swap`, { with: joans });
    assert.match(refusal(other), /alan is away/i);
  });

  it('overrides: members put themselves on call, managers anybody; the plan applies again afterwards', async () => {
    const span = { starts_at: '2026-12-08T00:00:00Z', ends_at: '2026-12-09T00:00:00Z' };
    const path = `/api/schedules/${schedule}/overrides`;
    assert.equal((await people.joan.call('POST', path, { stage: 1, user: id('ada'), ...span })).status, 403);
    assert.match(
      refusal(await people.linus.call('POST', path, { stage: 1, user: id('linus'), ...span })),
      /is not a member of stage 1; whoever manages the schedule can do it all the same|stage 2/,
    );
    for (const [body, field] of [
      [{ stage: 7, user: id('joan'), ...span }, 'stage'],
      [{ stage: 1, seat: 2, user: id('joan'), ...span }, 'seat'],
      [{ stage: 1, user: id('joan'), starts_at: NOW, ends_at: '2026-12-01T00:00:00Z' }, 'ends_at'],
    ] as const) {
      const answer = await people.joan.call('POST', path, body);
      assert.deepEqual([answer.status, answer.body.details[0].field], [400, field]);
    }
    const before = await line();
    const made = await people.joan.call('POST', path, { stage: 1, user: id('joan'), ...span });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual((await line()).slice(1, 4), ['12-07T09 alan', '12-08T00 joan', '12-09T00 alan']);
    assert.deepEqual(await told(), ['alan shift.lost']);
    assert.equal((await people.ada.call('DELETE', `${path}/${made.body.override.id}`)).status, 403);
    const gone = await people.joan.call('DELETE', `${path}/${made.body.override.id}`);
    assert.equal(gone.status, 200, JSON.stringify(gone.body));
    assert.deepEqual(await line(), before);
    assert.equal((await people.joan.call('DELETE', `${path}/${made.body.override.id}`)).status, 404);
    const listed = await people.joan.call('GET', path);
    assert.deepEqual(listed.body.overrides, []);
  });

  it('several overrides change together or not at all, and notices contain only the difference', async () => {
    const path = `/api/schedules/${schedule}/overrides`;
    const day = (from: number) => ({
      starts_at: `2026-12-0${from}T00:00:00Z`,
      ends_at: `2026-12-0${from + 1}T00:00:00Z`,
    });
    const of = (person: string, from: number) => ({ stage: 1, user: id(person), ...day(from) });
    const before = await line();
    const first = await people.grace.call('POST', path, of('joan', 8));
    assert.equal(first.status, 201, JSON.stringify(first.body));
    await told();
    const grown = await people.grace.call('POST', `${path}/changes`, {
      remove: [first.body.override.id],
      add: [{ ...of('joan', 8), ends_at: '2026-12-10T00:00:00Z' }],
    });
    assert.equal(grown.status, 200, JSON.stringify(grown.body));
    assert.deepEqual((await line()).slice(1, 4), ['12-07T09 alan', '12-08T00 joan', '12-10T00 alan']);
    assert.deepEqual((await told()).toSorted(), ['alan shift.lost', 'joan shift.gained']);
    assert.equal(grown.body.removed[0].id, first.body.override.id);
    const [added] = grown.body.added;

    const now = await line();
    for (const [body, status, field] of [
      [{}, 400, 'add'],
      [{ remove: [added.id, 'override_x'] }, 404, 'override'],
      [{ remove: [added.id], add: [of('joan', 7), { ...of('joan', 8), stage: 7 }] }, 400, 'stage'],
      [{ add: Array.from({ length: 9 }, () => of('joan', 8)) }, 400, 'add'],
    ] as const) {
      const answer = await people.grace.call('POST', `${path}/changes`, body);
      assert.deepEqual(
        [answer.status, answer.body.details[0].field],
        [status, field],
        JSON.stringify(answer),
      );
    }
    assert.equal((await people.ada.call('POST', `${path}/changes`, { remove: [added.id] })).status, 403);
    assert.deepEqual(await line(), now);
    assert.deepEqual(await told(), []);
    const undone = await people.grace.call('POST', `${path}/changes`, { remove: [added.id] });
    assert.equal(undone.status, 200, JSON.stringify(undone.body));
    assert.deepEqual(await line(), before);
    await told();
  });

  it('nothing of another organization can be seen or changed', async () => {
    const others = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
    const eve = await signIn({ ...t, acme: others }, 'eve');
    await away('alan', '2026-12-08T00:00:00Z', '2026-12-09T00:00:00Z');
    const [cover] = (await forMe(people.alan)).mine;
    for (const [method, path, body] of [
      ['GET', `/api/covers/${cover?.id}`],
      ['POST', `/api/covers/${cover?.id}/take`],
      ['GET', `/api/schedules/${schedule}/covers`],
      ['GET', `/api/schedules/${schedule}/overrides`],
      ['POST', `/api/shifts/${await shiftOf('alan')}/offer`],
      ['POST', `/api/shifts/${await shiftOf('alan')}/hand-over`, { to: others.users.eve }],
      ['DELETE', `/api/schedules/${schedule}/overrides/override_x`],
      ['POST', `/api/schedules/${schedule}/overrides/changes`],
    ] as const)
      assert.equal((await eve.call(method, path, body ?? {})).status, 404, path);
    assert.deepEqual(await forMe(eve), { asked: [], open: [], mine: [], to_decide: [], swaps: [] });
  });

  it('a proposal to a person who is disabled passes to somebody else, whoever made it', async () => {
    await t.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id('grace')).execute();
    // Ken belongs to no schedule.
    for (const gone of ['joan', 'ken']) {
      const offered = await people.alan.call('POST', `/api/shifts/${await shiftOf('alan')}/offer`, {});
      assert.equal(offered.status, 201, JSON.stringify(offered.body));
      const cover = `/api/covers/${offered.body.cover.id}`;
      const asked = await people.grace.call('POST', `${cover}/offer`, { to: id(gone) });
      assert.equal(asked.status, 200, JSON.stringify(asked.body));
      assert.equal((await people.grace.call('POST', `/api/people/${id(gone)}/disable`)).status, 200);
      await t.app.duties.runAll();
      const { body } = await people.grace.call('GET', cover);
      assert.deepEqual(
        body.cover.proposal.moves.map((move: { gains: { id: string } }) => name(move.gains.id)),
        ['ada'],
        gone,
      );
      assert.equal((await people.alan.call('POST', `${cover}/withdraw`)).status, 200);
    }
  });
});
