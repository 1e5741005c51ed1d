import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { newId } from '../src/kit/typeid.ts';
import { MOST_WAITING_EVENTS } from '../src/notices/store.ts';
import { MOST_NAMED_SHIFTS } from '../src/schedules/change-event.ts';
import { applyText } from '../testing/apply-text.ts';
import { type FakeRequest, ScriptedServer } from '../testing/fakes/scripted-server.ts';
import { seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const DAILY = `
organization: { name: Acme }
schedules:
  - name: Daily
    team: sre
    shifts: { every: day, handoff: "09:00" }
    stages: [{ stage: 1, members: [ada@example.com, grace@example.com] }]
`;

describe('events for programs', () => {
  let t: Story;
  let program: ScriptedServer;
  let calls: FakeRequest[] = [];
  let answer: { status: number } = { status: 204 };
  let ada: SignedIn;
  let hook: string;

  before(async () => {
    program = await ScriptedServer.start((request) => {
      calls.push(request);
      return answer;
    });
    t = await story({
      organization: {
        people: {
          ada: {
            methods: [
              { type: 'webhook', value: `${program.origin}/ada` },
              { type: 'email', value: 'ada@example.com' },
            ],
          },
          grace: { methods: [{ type: 'webhook', value: `${program.origin}/grace` }] },
          edsger: { methods: [{ type: 'webhook', value: `${program.origin}/edsger` }] },
        },
        teams: { sre: { members: ['ada', 'grace'] }, web: { members: ['edsger'] } },
      },
    });
    const evil = await seedOrganization(
      t,
      {
        people: { eve: { methods: [{ type: 'webhook', value: `${program.origin}/eve` }] } },
        teams: { sre: { members: ['eve'] } },
      },
      'Evil',
    );
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    await applyText(t, DAILY);
    ada = await signIn(t, 'ada');
    const webhook = await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'w', type: 'custom' });
    hook = webhook.body.url;
    for (const [place, person] of [
      [t, 'ada'],
      [t, 'edsger'],
      [{ ...t, acme: evil }, 'eve'],
    ] as const) {
      const who = await signIn(place, person);
      assert.equal((await choose(who, ['moments', 'shifts'])).status, 200);
    }
    // Shortly after the hand-off, the shift that has just begun is reported as well.
    await t.settle();
    await t.app.duties.runAll();
  });
  beforeEach(() => {
    calls = [];
    answer = { status: 204 };
  });
  after(async () => {
    await t.end();
    await program.stop();
  });

  async function choose(who: SignedIn, events: string[], type = 'webhook') {
    const { body } = await who.call('GET', '/api/contact-methods');
    const method = body.contact_methods.find((one: { type: string }) => one.type === type);
    return who.call('PATCH', `/api/contact-methods/${method.id}`, { events });
  }

  /** Runs the work and returns the events that arrived; each was for Ada and is signed. */
  async function events() {
    await t.settle();
    await t.app.duties.runAll();
    return calls.splice(0).map((call) => {
      assert.equal(call.path, '/ada', call.raw);
      const headers = call.headers as Record<string, string>;
      const body = new Webhook(t.acme.webhookSecret).verify(call.raw, headers) as Record<string, unknown>;
      assert.equal(body.id, headers['webhook-id']);
      // biome-ignore lint/suspicious/noExplicitAny: events have several shapes
      return body as Record<string, any>;
    });
  }

  /** Events of shifts that start and end: plans also grow over time. */
  async function turns() {
    return (await events()).filter(({ type }) => type !== 'shifts.changed');
  }

  async function report(key: string, state: 'open' | 'acknowledged' | 'resolved'): Promise<void> {
    const { status } = await fetch(hook, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Disk full', type: 'alert', source: 'db-1', dedup_key: key, state }),
    });
    assert.equal(status, 200);
    await t.settle();
  }

  it('report what calls do to a moment, once each, to people of its team who chose them', async () => {
    await report('a', 'open');
    const [opened, ...none] = await events();
    assert.deepEqual(none, []);
    assert.equal(opened?.type, 'moment.opened');
    assert.equal(opened.team, 'sre');
    assert.equal(opened.by, null);
    const { id, occurred_at: occurred, ...moment } = opened.moment;
    assert.deepEqual(moment, {
      ...{ name: 'Disk full', type: 'alert', priority: 'medium', state: 'open' },
      ...{ source: 'db-1', source_url: null },
    });
    assert.equal(opened.url, `${t.app.config.publicUrl}/moments/${id}`);
    assert.ok(Date.parse(occurred) <= Date.parse(opened.at));
    // Doing the same again changes nothing.
    await report('a', 'open');
    assert.deepEqual(await events(), []);
    await report('a', 'acknowledged');
    await report('a', 'resolved');
    const later = await events();
    assert.deepEqual(later.map(({ type }) => type).sort(), ['moment.acknowledged', 'moment.resolved']);
    assert.ok(later.every((event) => event.moment.id === id));
  });

  it('name the person who acknowledged, resolved or reopened a moment', async () => {
    await report('b', 'open');
    const [opened] = await events();
    for (const [action, type] of [
      ['acknowledge', 'moment.acknowledged'],
      ['resolve', 'moment.resolved'],
      ['reopen', 'moment.reopened'],
    ] as const) {
      const { status } = await ada.call('POST', `/api/moments/${opened?.moment.id}/${action}`);
      assert.equal(status, 200);
      const [event, ...none] = await events();
      assert.deepEqual([event?.type, event?.by, none.length], [type, 'Ada', 0], action);
    }
  });

  it('report when shifts end and begin, once, after overrides', async () => {
    const next = await t.db
      .selectFrom('shifts')
      .innerJoin('schedules', 'schedules.id', 'shifts.schedule_id')
      .select(['starts_at', 'schedule_id', 'shifts.user_id'])
      .where('schedules.name', '=', 'Daily')
      .where('starts_at', '>', (await t.clock.now(t.db)).add({ hours: 1 }))
      .orderBy('starts_at')
      .executeTakeFirstOrThrow();
    const people = [t.acme.users.ada, t.acme.users.grace];
    const other = people.find((id) => id !== next.user_id);
    const wait = (await t.clock.now(t.db)).until(next.starts_at);
    await t.advance(wait.subtract({ minutes: 30 }));
    await events();
    const made = await ada.call('POST', `/api/schedules/${next.schedule_id}/overrides`, {
      ...{ stage: 1, user: other, starts_at: next.starts_at.toString() },
      ends_at: next.starts_at.add({ hours: 2 }).toString(),
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const [changed, ...more] = await events();
    assert.deepEqual(more, []);
    assert.deepEqual(
      [changed?.type, changed?.team, changed?.schedule.name, changed?.added, changed?.removed],
      ['shifts.changed', 'sre', 'Daily', 1, 0],
    );
    const taken = changed?.shifts.find(({ person }: { person: { id: string } }) => person.id === other);
    assert.equal(taken?.starts_at, next.starts_at.toString({ smallestUnit: 'millisecond' }));
    await t.advance({ minutes: 31 });
    const [ended, started, ...none] = (await turns()).sort((a, b) => a.type.localeCompare(b.type));
    assert.deepEqual(none, []);
    assert.deepEqual([ended?.type, started?.type], ['shift.ended', 'shift.started']);
    assert.equal(started?.person.id, other);
    assert.equal(started?.planned.id, next.user_id);
    assert.equal(started?.at, next.starts_at.toString({ smallestUnit: 'millisecond' }));
    assert.deepEqual([started?.shift.stage, started?.schedule.name], [1, 'Daily']);
    assert.equal(ended?.at, started?.at);
    assert.deepEqual(await turns(), []);
    await t.advance({ hours: 2 });
    assert.deepEqual((await turns()).map(({ type }) => type).sort(), ['shift.ended', 'shift.started']);
  });

  it("report the effect of a plan's change on shifts once, however many they are", async () => {
    await events();
    await applyText(t, DAILY.replace('team: sre', 'team: sre\n    plan_ahead_weeks: 40'));
    const [extended, ...none] = await events();
    assert.deepEqual(none, []);
    assert.equal(extended?.type, 'shifts.changed');
    assert.ok(extended.added > 150, String(extended.added));
    assert.deepEqual([extended.changed, extended.removed], [0, 0]);
    assert.equal(extended.shifts.length, MOST_NAMED_SHIFTS);
    const starts = extended.shifts.map(({ starts_at }: { starts_at: string }) => starts_at);
    assert.deepEqual(starts, starts.toSorted());
    assert.equal(extended.starts_at, starts[0]);
    assert.ok(extended.ends_at > starts.at(-1));
    assert.deepEqual(extended.shifts[0].before, null);
    // Applying the same file again changes nothing.
    await applyText(t, DAILY.replace('team: sre', 'team: sre\n    plan_ahead_weeks: 40'));
    assert.deepEqual(await events(), []);
  });

  it("report a person's change of a shift once", async () => {
    const me = await signIn(t, 'grace');
    const now = await t.clock.now(t.db);
    const shift = await t.db
      .selectFrom('shifts')
      .innerJoin('schedules', 'schedules.id', 'shifts.schedule_id')
      .select(['shifts.id', 'schedule_id'])
      .where('schedules.name', '=', 'Daily')
      .where('shifts.user_id', '=', t.acme.users.grace ?? '')
      .where('starts_at', '>', now.add({ hours: 48 }))
      .orderBy('starts_at')
      .executeTakeFirstOrThrow();
    const given = await me.call('POST', `/api/shifts/${shift.id}/hand-over`, { to: t.acme.users.ada });
    assert.equal(given.status, 200, JSON.stringify(given.body));
    const [changed, ...none] = (await events()).filter(({ type }) => type !== 'notice');
    assert.deepEqual(none, []);
    assert.deepEqual(
      [changed?.type, changed?.added, changed?.changed, changed?.removed],
      ['shifts.changed', 0, 1, 0],
    );
    const [one] = changed?.shifts ?? [];
    assert.deepEqual(
      [one?.change, one?.id, one?.person.id, one?.before.id],
      ['changed', shift.id, t.acme.users.ada, t.acme.users.grace],
    );
  });

  it('are retried, are limited for each webhook, and never delay a page', async () => {
    answer = { status: 503 };
    await report('c', 'open');
    await events();
    const waiting = () =>
      t.db
        .selectFrom('messages')
        .select(['state', 'error', 'attempts'])
        .where('body', 'is not', null)
        .execute();
    assert.deepEqual(await waiting(), [{ state: 'waiting', error: 'It answered 503.', attempts: 1 }]);
    const method = await t.db
      .selectFrom('contact_methods')
      .select(['id', 'value'])
      .where('user_id', '=', t.acme.users.ada ?? '')
      .where('type', '=', 'webhook')
      .executeTakeFirstOrThrow();
    const at = await t.clock.now(t.db);
    const full = Array.from({ length: MOST_WAITING_EVENTS - 1 }, () => ({
      ...{
        id: newId('message'),
        organization_id: t.acme.id,
        contact_method_id: method.id,
        channel: 'webhook' as const,
      },
      ...{ address: method.value, subject: 'x', text: '', state: 'waiting' as const, created_at: at },
      ...{ due_at: at.add({ hours: 1 }), expires_at: at.add({ hours: 2 }) },
      body: JSON.stringify({ type: 'x', path: '/', data: {} }),
    }));
    await t.db.insertInto('messages').values(full).execute();
    await report('d', 'open');
    assert.equal((await waiting()).length, MOST_WAITING_EVENTS, 'the one too many is dropped');
    // A page is sent although events wait.
    answer = { status: 204 };
    calls = [];
    await t.page('person', 'ada@example.com');
    const types = calls.map(({ raw }) => JSON.parse(raw).type);
    assert.deepEqual(types, ['page.notification']);
    calls = [];
    await t.db.deleteFrom('messages').where('subject', '=', 'x').execute();
    await t.advance({ seconds: 16 });
    const [late] = (await events()).filter(({ type }) => type.startsWith('moment'));
    assert.equal(late?.type, 'moment.opened');
    const sent = await t.db
      .selectFrom('messages')
      .select(['state', 'body'])
      .where('subject', '=', 'moment.opened')
      .execute();
    assert.ok(sent.every(({ state, body }) => state === 'sent' && body === null));
  });

  it('are chosen only by the owner of the webhook, and not for other contact methods', async () => {
    const wrong = await choose(ada, ['moments'], 'email');
    assert.equal(wrong.status, 400);
    assert.match(wrong.body.details[0].message, /^events are only sent to webhooks/);
    assert.equal((await choose(ada, ['pages'])).status, 400);
    const { body } = await ada.call('GET', '/api/contact-methods');
    const method = body.contact_methods.find(({ type }: { type: string }) => type === 'webhook');
    assert.deepEqual(method.events, ['moments', 'shifts']);
    const grace = await signIn(t, 'grace');
    assert.equal(
      (await grace.call('PATCH', `/api/contact-methods/${method.id}`, { events: [] })).status,
      404,
    );
    assert.equal((await choose(ada, [])).status, 200);
    await report('e', 'open');
    assert.deepEqual(await events(), []);
  });
});
