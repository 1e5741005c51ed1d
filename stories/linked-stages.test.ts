import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { lockSchedules } from '../src/covers/roster-store.ts';
import { eventually } from '../testing/eventually.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

type Problem = { field: string; message: string };
type OnCall = { stage: number; schedule_id: string; user: { email: string } };

describe('a stage that is linked to a stage of another schedule', () => {
  let t: Story;
  let ada: SignedIn;
  let sre: string;
  let platform: string;
  const id = (name: string) => t.acme.users[name] ?? '';

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: { ...webhookPeople(receiver, 'ada', 'grace', 'edsger'), alan: {} },
        teams: {
          sre: { members: ['ada', 'alan'], schedules: [{ stages: [['ada']] }] },
          platform: { members: ['grace', 'edsger'], schedules: [{ stages: [['grace'], ['edsger']] }] },
        },
      }),
    });
    await t.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id('ada')).execute();
    ada = await signIn(t, 'ada');
    const { schedules } = (await ada.call('GET', '/api/schedules')).body;
    const scheduleOf = (slug: string) =>
      schedules.find(({ team }: { team: { slug: string } }) => team.slug === slug)?.id;
    [sre, platform] = [scheduleOf('sre'), scheduleOf('platform')];
  });
  after(() => t?.end());

  const own = () => ({ stage: 1, members: [id('ada')] });
  const linked = (schedule: string, stage: number) => ({ stage: 2, linked_to: { schedule, stage } });
  const change = (schedule: string, body: object) => ada.call('PATCH', `/api/schedules/${schedule}`, body);
  const settings = async (schedule: string) => (await ada.call('GET', `/api/schedules/${schedule}`)).body;
  const refusal = async (schedule: string, body: object): Promise<Problem> => {
    const { status, body: answer } = await change(schedule, body);
    assert.equal(status, 400, JSON.stringify(answer));
    assert.equal(answer.details.length, 1, JSON.stringify(answer.details));
    return answer.details[0];
  };
  const onCallOf = async (schedule: string): Promise<[number, string][]> => {
    const now = (await t.clock.now(t.db)).toString();
    const query = new URLSearchParams({ start_time: now, end_time: now });
    const { body } = await t.get(`/schedules/${schedule}/oncalls?${query}`);
    return (body.oncalls as OnCall[]).map((one) => {
      assert.equal(one.schedule_id, schedule);
      return [one.stage, one.user.email.split('@')[0] ?? ''];
    });
  };

  it('is refused if the other stage cannot answer', async () => {
    assert.deepEqual(await refusal(sre, { stages: [own(), linked('schedule_x', 1)] }), {
      field: 'stages[1].linked_to.schedule',
      message:
        'stages[1].linked_to.schedule is schedule_x, which is not another schedule of your organization; give one of those.',
    });
    assert.equal(
      (await refusal(sre, { stages: [own(), linked(sre, 1)] })).field,
      'stages[1].linked_to.schedule',
    );
    assert.deepEqual(await refusal(sre, { stages: [own(), linked(platform, 7)] }), {
      field: 'stages[1].linked_to.stage',
      message: 'stages[1].linked_to.stage is 7, which "platform 0" does not have; give one of 1, 2.',
    });
    const both = { ...linked(platform, 1), members: [id('alan')] };
    assert.equal((await refusal(sre, { stages: [own(), both] })).field, 'stages[1].members');
  });

  it('is saved without a deadlock while the other schedule is locked, whichever is locked first', async () => {
    const [lower, higher] = [sre, platform].toSorted();
    assert.ok(lower && higher);
    let saved: ReturnType<typeof change> | undefined;
    await t.db.transaction().execute(async (swap) => {
      await lockSchedules(swap, [lower]);
      saved = change(higher, { stages: [{ ...linked(lower, 1), stage: 1 }] });
      await eventually(isWaiting, true);
      await sql`set local lock_timeout = '1s'`.execute(swap);
      await lockSchedules(swap, [higher]);
    });
    assert.equal((await saved)?.status, 200);
    const former = higher === sre ? ['ada'] : ['grace', 'edsger'];
    const stages = former.map((name, index) => ({ stage: index + 1, members: [id(name)] }));
    assert.equal((await change(higher, { stages })).status, 200);
  });

  /** Whether a statement waits for a lock. */
  async function isWaiting(): Promise<boolean> {
    const { rows } = await sql<{ waits: boolean }>`
      select exists (select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(t.db);
    return rows[0]?.waits ?? false;
  }

  it('has the people of the other stage, and no plan', async () => {
    const saved = await change(sre, { stages: [own(), linked(platform, 1)] });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    assert.deepEqual(saved.body.changes, [
      'stage 2: is new, is linked to stage 1 of platform 0, escalates after 5 minutes',
    ]);
    assert.deepEqual(saved.body.stages[1].linked_to, { schedule: platform, name: 'platform 0', stage: 1 });
    assert.deepEqual(saved.body.stages[1].members, []);
    assert.deepEqual((await settings(platform)).links, [
      { schedule: sre, name: 'sre 0', stage: 2, target: 1 },
    ]);
    assert.deepEqual(await onCallOf(sre), [
      [1, 'ada'],
      [2, 'grace'],
    ]);
    assert.deepEqual(await onCallOf(platform), [
      [1, 'grace'],
      [2, 'edsger'],
    ]);
    const gaps = await t.db
      .selectFrom('shifts')
      .select('id')
      .where('schedule_id', '=', sre)
      .where('stage', '=', 2)
      .execute();
    assert.deepEqual(gaps, []);
    // A body without the link keeps the link.
    const kept = await change(sre, { stages: [own(), { stage: 2, escalate_after_minutes: 5 }] });
    assert.deepEqual(kept.body.changes, []);
  });

  it('notifies them when a page escalates, and the page shows why', async () => {
    const { page } = await t.status(await t.page('team', 'sre', { urgency: 'high' }));
    await t.notified('ada');
    await t.advance({ minutes: 5, seconds: 1 });
    await t.notified('grace');
    const { timeline } = (await ada.call('GET', `/api/pages/${page.id}`)).body;
    const [why] = timeline.flatMap((entry: { kind: string; stage?: number; why?: { schedule: string } }) =>
      entry.kind === 'notified' && entry.stage === 2 ? [entry.why?.schedule] : [],
    );
    assert.equal(why, 'platform 0');
    await ada.call('POST', `/api/pages/${page.id}/resolve`);
    await t.settle();
    t.receiver.inbox.takeAll();
  });

  it('is shown for its people wherever the people of a stage are listed', async () => {
    const { people } = (await ada.call('GET', '/api/people/overview')).body;
    const grace = people.find(({ id: one }: { id: string }) => one === id('grace'));
    const stages = grace.on_call.map((one: { schedule: { name: string }; stage: number }) => [
      one.schedule.name,
      one.stage,
    ]);
    assert.deepEqual(stages, [
      ['platform 0', 1],
      ['sre 0', 2],
    ]);
  });

  it('follows the other schedule: an override there applies here', async () => {
    const from = await t.clock.now(t.db);
    const made = await ada.call('POST', `/api/schedules/${platform}/overrides`, {
      ...{ stage: 1, user: id('alan'), starts_at: from, ends_at: from.add({ hours: 4 }) },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await t.advance({ minutes: 1 });
    assert.deepEqual((await onCallOf(sre))[1], [2, 'alan']);
    const here = await ada.call('POST', `/api/schedules/${sre}/overrides`, {
      ...{ stage: 2, user: id('edsger'), starts_at: from, ends_at: from.add({ hours: 4 }) },
    });
    assert.deepEqual([here.status, here.body.details[0].field], [400, 'stage']);
    t.receiver.inbox.takeAll();
  });

  it('prevents the other schedule from being disabled, deleted, or left without that stage', async () => {
    assert.deepEqual(await refusal(platform, { enabled: false }), {
      field: 'enabled',
      message: 'enabled is false, but stage 2 of "sre 0" is linked to this schedule; remove that link first.',
    });
    assert.deepEqual(await refusal(platform, { stages: [{ stage: 2, members: [id('edsger')] }] }), {
      field: 'stages',
      message: 'stages leave out stage 1, to which stage 2 of "sre 0" is linked; remove that link first.',
    });
    // Links have to end at people: two schedules cannot link to each other.
    assert.deepEqual(
      await refusal(platform, { stages: [{ stage: 1, members: [id('grace')] }, linked(sre, 2)] }),
      {
        field: 'stages[1].linked_to.stage',
        message:
          'stages[1].linked_to.stage is 2 of "sre 0", which is itself linked to another schedule; link to that one.',
      },
    );
    await change(sre, { enabled: false });
    assert.equal((await change(platform, { enabled: false })).status, 200);
    const deleted = await ada.call('DELETE', `/api/schedules/${platform}`);
    assert.deepEqual([deleted.status, deleted.body.details[0].field], [409, 'schedule']);
    assert.deepEqual(await refusal(sre, { enabled: true }), {
      field: 'stages[1].linked_to.schedule',
      message: 'stages[1].linked_to.schedule is "platform 0", which is disabled; enable it first.',
    });
    assert.equal((await change(platform, { enabled: true })).status, 200);
    assert.equal((await change(sre, { enabled: true })).status, 200);
  });

  it('can become an independent stage again', async () => {
    const saved = await change(sre, { stages: [own(), { stage: 2, members: [id('alan')] }] });
    assert.deepEqual(saved.body.changes, [
      'stage 2: was linked to stage 1 of platform 0, is linked to nothing',
      'stage 2: members were nobody, are Alan',
    ]);
    assert.deepEqual((await settings(platform)).links, []);
    t.receiver.inbox.takeAll();
  });
});
