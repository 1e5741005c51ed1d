import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PeopleOverview, PersonDetail } from '../src/people/person-contract.ts';
import { planSchedule, upsertSchedule } from '../src/planning/actions.ts';
import { withSolvedPlans } from '../src/planning/solved-plans.ts';
import { createSolver } from '../src/planning/threads/solver.ts';
import { eventually } from '../testing/eventually.ts';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('people, and their administration', () => {
  let t: Story;
  let ada: SignedIn;
  let grace: SignedIn;
  let others: Organization;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: { ...webhookPeople(receiver, 'ada', 'grace', 'edsger'), linus: {} },
        teams: {
          sre: {
            members: ['ada', 'grace', 'edsger'],
            schedules: [{ stages: [['grace'], ['edsger']], backstop: 'grace' }],
          },
        },
      }),
    });
    await setRole('ada', 'owner');
    [ada, grace] = [await signIn(t, 'ada'), await signIn(t, 'grace')];
    others = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
  });
  after(() => t.end());

  const id = (person: string) => t.acme.users[person] ?? '';
  const setRole = (person: string, role: 'owner' | 'admin' | 'member') =>
    t.db.updateTable('users').set({ role }).where('id', '=', id(person)).execute();
  const detail = async (person: string, who = ada): Promise<PersonDetail> =>
    (await who.call('GET', `/api/people/${id(person)}`)).body;
  const overview = async (who = ada): Promise<PeopleOverview['people']> =>
    (await who.call('GET', '/api/people/overview')).body.people;
  const change = (who: SignedIn, person: string, body: unknown) =>
    who.call('PATCH', `/api/people/${id(person)}`, body);
  const message = (answer: { body: { details: { message: string }[] } }) =>
    answer.body.details[0]?.message ?? '';

  /** Weekly hand-offs in this order; the first person is the backstop as well. */
  async function weekly(...people: string[]): Promise<string> {
    const services = { db: t.db, clock: t.clock, solver: createSolver() };
    return withSolvedPlans(services, async (tx, at, plans) => {
      const saved = await upsertSchedule(tx, at, t.acme.id, {
        ...{
          name: 'Real',
          teamId: t.acme.teams.sre ?? '',
          description: null,
          enabled: true,
          timeZone: 'UTC',
        },
        ...{ backstopUserId: id(people[0] ?? ''), strategy: 'rotation', planAheadWeeks: 8, restHours: 0 },
        ...{ cover: 'propose', pattern: { every: 'week', handoff: 'Monday 09:00' }, overrides: null },
        stages: [{ stage: 1, escalateAfterSeconds: 300, seats: 1, memberIds: people.map(id) }],
      });
      await planSchedule(tx, at, saved.id, plans);
      return saved.id;
    });
  }

  it('are listed with their role, teams, duties and whether they can be reached', async () => {
    const people = await overview();
    assert.deepEqual(
      people.map(({ name, role, on_call, reachable, why_not }) => [
        name,
        role,
        on_call.map(({ stage }) => stage),
        reachable,
        why_not,
      ]),
      [
        ['Ada', 'owner', [], true, null],
        ['Edsger', 'member', [2], true, null],
        ['Grace', 'member', [1], true, null],
        ['Linus', 'member', [], false, 'no contact method'],
      ],
    );
    assert.equal(people[2]?.reached_at, null);
    const { page } = await t.status(await t.page('team', 'sre'));
    await t.notified('grace');
    assert.equal((await ada.call('POST', `/api/pages/${page.id}/resolve`)).status, 200);
    const [hook] = (await detail('grace')).contact_methods;
    assert.ok(hook?.reached_at);
    assert.equal(hook.failing, null);
    assert.deepEqual(
      (await detail('grace')).shifts.map(({ stage }) => stage),
      [1],
    );
  });

  it('change themselves: name, handle, zone, and when they sleep', async () => {
    const { body } = await grace.call('GET', '/api/profile');
    assert.deepEqual([body.username, body.sleep], ['grace', { from: '22:00', until: '07:00' }]);
    const changed = await grace.call('PATCH', '/api/profile', {
      name: 'Grace Hopper',
      username: 'g.hopper',
      time_zone: 'America/New_York',
      sleep: { from: '23:30', until: '06:15' },
    });
    assert.deepEqual(changed.body, {
      ...body,
      ...changed.body,
      username: 'g.hopper',
      time_zone: 'America/New_York',
    });
    assert.deepEqual(changed.body.sleep, { from: '23:30', until: '06:15' });
    assert.match(
      message(await grace.call('PATCH', '/api/profile', { username: 'ADA' })),
      /is used by another person/,
    );
    assert.match(message(await grace.call('PATCH', '/api/profile', { username: 'a b' })), /is not a handle/);
    assert.equal((await grace.call('PATCH', '/api/profile', { time_zone: 'Mars/Base' })).status, 400);
    assert.equal((await grace.call('PATCH', '/api/profile', { role: 'owner' })).body.role, 'member');
  });

  it('get roles from people who may grant them, and the last owner stays', async () => {
    assert.equal((await change(grace, 'edsger', { role: 'admin' })).status, 403);
    assert.equal((await change(ada, 'edsger', { role: 'admin' })).body.role, 'admin');
    const edsger = await signIn(t, 'edsger');
    assert.match(message(await change(edsger, 'grace', { role: 'owner' })), /may not give this role/);
    assert.equal((await change(edsger, 'ada', { role: 'member' })).status, 403);
    assert.deepEqual((await detail('grace', edsger)).may.roles, ['admin', 'member']);
    assert.match(message(await change(ada, 'ada', { role: 'member' })), /only owner/);
    assert.match((await detail('ada')).may.why_not ?? '', /only owner/);
    assert.equal((await ada.call('POST', `/api/people/${id('ada')}/disable`)).status, 409);
    assert.match(message(await change(ada, 'grace', { role: 'king' })), /one of owner, admin, member/);
    assert.deepEqual((await detail('ada', grace)).may, {
      change: false,
      roles: [],
      disable: false,
      why_not: (await detail('ada')).may.why_not,
    });
  });

  it('leave with all of their access, and may come back', async () => {
    await t.db.deleteFrom('schedules').execute();
    const schedule = await weekly('grace', 'edsger', 'linus');
    const { body: leaving } = await ada.call('GET', `/api/people/${id('grace')}/leaving`);
    assert.ok(leaving.shifts_ahead >= 2, JSON.stringify(leaving));
    assert.partialDeepStrictEqual(leaving, {
      backstop_of: ['Real'],
      stages: ['Real, stage 1'],
      teams: ['SRE'],
    });
    const german = { 'sec-fetch-site': 'same-origin', 'accept-language': 'de' };
    const said = await ada.call('GET', `/api/people/${id('grace')}/leaving`, undefined, german);
    assert.deepEqual(said.body.stages, ['Real, Stufe 1']);
    assert.equal((await grace.call('POST', `/api/people/${id('edsger')}/disable`)).status, 403);
    assert.equal((await ada.call('POST', `/api/people/${id('grace')}/disable`)).status, 200);
    await eventually(async () => (await grace.call('GET', '/api/profile')).status, 401);
    const gone = (await overview()).find((person) => person.id === id('grace'));
    assert.deepEqual([gone?.disabled, gone?.teams, gone?.on_call], [true, [], []]);
    const shifts = t.db.selectFrom('shifts').select('user_id').where('schedule_id', '=', schedule);
    const ahead = await shifts.where('ends_at', '>', await t.clock.now(t.db)).execute();
    assert.deepEqual(new Set(ahead.map((shift) => shift.user_id)), new Set([id('edsger'), id('linus')]));
    const again = await ada.call('POST', `/api/people/${id('grace')}/enable`);
    assert.deepEqual(again.body, { disabled: false });
    assert.equal((await detail('grace')).disabled, false);
    const log = await t.db.selectFrom('audit_log').select('action').orderBy('id').execute();
    assert.deepEqual(log.map(({ action }) => action).slice(-2), ['person.disable', 'person.enable']);
  });

  it('are hidden from another organization', async () => {
    const key = { authorization: `Bearer ${others.key}` };
    const eve = await signIn({ ...t, acme: others }, 'eve');
    for (const path of ['', '/leaving']) {
      const answer = await fetch(`${t.url}/api/people/${id('ada')}${path}`, { headers: key });
      const text = await answer.text();
      assert.doesNotMatch(text, /ada|SRE/i, path);
    }
    await t.db.updateTable('users').set({ role: 'owner' }).where('organization_id', '=', others.id).execute();
    for (const [method, path] of [
      ['PATCH', ''],
      ['POST', '/disable'],
      ['POST', '/enable'],
    ] as const) {
      const answer = await eve.call(method, `/api/people/${id('edsger')}${path}`, {});
      assert.equal(answer.status, 404, path);
    }
  });
});
