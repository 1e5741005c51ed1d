import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import type { Story } from '../testing/story.ts';
import { pageTheTeam, twoStageStory } from '../testing/two-stage-story.ts';

describe('pages that were answered', () => {
  let t: Story;
  let ada: SignedIn;
  let grace: SignedIn;
  let edsger: SignedIn;

  before(async () => {
    t = await twoStageStory();
    ada = await signIn(t, 'ada');
    grace = await signIn(t, 'grace');
    edsger = await signIn(t, 'edsger');
  });
  after(() => t.end());

  /** Acts on a page, then runs all due work. */
  async function act(who: SignedIn, id: string, action: string, body?: unknown) {
    const answer = await who.call('POST', `/api/pages/${id}/${action}`, body);
    await t.settle();
    return answer;
  }
  const detail = async (id: string) => (await ada.call('GET', `/api/pages/${id}`)).body;
  const kinds = async (id: string): Promise<string[]> =>
    (await detail(id)).timeline.map(({ kind }: { kind: string }) => kind);
  const nextOf = async (id: string) => (await detail(id)).page.next;

  it('are un-acknowledged: the people on call now are notified and the page escalates again', async () => {
    const id = await pageTheTeam(t);
    await act(ada, id, 'acknowledge');
    const { status, body } = await act(grace, id, 'unacknowledge');
    assert.deepEqual(
      [status, body.changed, body.page.state, body.page.acknowledged_by],
      [200, true, 'notifying', null],
    );
    await t.notified('ada');
    await t.advance({ minutes: 5 });
    await t.notified('grace');
    assert.ok((await kinds(id)).includes('unacknowledged'));
    const again = await act(ada, id, 'acknowledge');
    assert.equal(again.body.page.acknowledged_by.name, 'Ada');
    await act(ada, id, 'resolve');
    const late = await act(ada, id, 'unacknowledge');
    assert.equal(late.status, 409);
    assert.equal(
      late.body.details[0].message,
      'page is resolved; only an acknowledged page can be un-acknowledged.',
    );
  });

  it('escalate for three whole rounds after they were given back', async () => {
    const id = await pageTheTeam(t);
    for (let round = 1; round < 3; round++) {
      await t.advance({ minutes: 5 });
      await t.notified('grace');
      await t.advance({ minutes: 5 });
      await t.notified('grace');
      await t.advance({ minutes: 5 });
      await t.notified('ada');
    }
    await act(ada, id, 'acknowledge');
    await act(ada, id, 'unacknowledge');
    await t.notified('ada');
    for (let round = 1; round < 3; round++) {
      await t.advance({ minutes: 5 });
      await t.notified('grace');
      await t.advance({ minutes: 5 });
      await t.notified('grace');
      await t.advance({ minutes: 5 });
      await t.notified('ada');
    }
    assert.equal((await detail(id)).page.state, 'notifying');
    await act(ada, id, 'resolve');
  });

  it('are reopened, and reports count the first acknowledgement', async () => {
    const id = await pageTheTeam(t);
    await t.advance({ minutes: 2 });
    const first = (await act(ada, id, 'acknowledge')).body.page.acknowledged_at;
    await act(ada, id, 'resolve');
    const open = await act(grace, id, 'reopen');
    assert.deepEqual(
      [open.body.changed, open.body.page.state, open.body.page.resolved_at],
      [true, 'notifying', null],
    );
    await t.notified('ada');
    await t.advance({ minutes: 4 });
    const second = await act(ada, id, 'acknowledge');
    assert.notEqual(second.body.page.acknowledged_at, first);
    await act(ada, id, 'resolve');
    const row = await t.db
      .selectFrom('pages')
      .select(['first_acknowledged_at', 'first_acknowledged_by'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(row.first_acknowledged_at?.epochMilliseconds, Date.parse(first));
    assert.equal(row.first_acknowledged_by, t.acme.users.ada);
    assert.equal((await act(ada, id, 'acknowledge')).body.changed, false);
  });

  it('are undone within 30 seconds: the same next step at the same time, and nobody is notified twice', async () => {
    const id = await pageTheTeam(t);
    const before = await nextOf(id);
    await t.advance({ minutes: 1 });
    await act(ada, id, 'acknowledge');
    assert.equal(await nextOf(id), null);
    const others = await act(grace, id, 'undo');
    assert.equal(others.status, 409);
    assert.match(others.body.details[0].message, /by you within the last 30 seconds/);
    await t.advance({ seconds: 25 });
    const { body } = await act(ada, id, 'undo');
    assert.deepEqual([body.changed, body.page.state], [true, 'notifying']);
    assert.deepEqual(await nextOf(id), before);
    assert.ok((await kinds(id)).includes('undone'));
    await t.advance({ minutes: 4 });
    await t.notified('grace');
    await act(ada, id, 'resolve');
    assert.equal((await act(ada, id, 'undo')).body.page.state, 'notifying');
    await act(ada, id, 'acknowledge');
    await act(grace, id, 'resolve');
    assert.equal((await act(ada, id, 'undo')).status, 409);
    const back = await act(grace, id, 'undo');
    assert.deepEqual([back.body.page.state, back.body.page.acknowledged_by.name], ['acknowledged', 'Ada']);
    await act(ada, id, 'resolve');
    await t.advance({ seconds: 31 });
    assert.equal((await act(ada, id, 'undo')).status, 409);
    const counted = await t.db
      .selectFrom('pages')
      .select('first_acknowledged_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(counted.first_acknowledged_at, null);
  });

  it('continue if they are reassigned while waiting for the next round', async () => {
    const id = await pageTheTeam(t);
    await t.advance({ minutes: 5 });
    await t.notified('grace');
    await t.advance({ minutes: 5 });
    await t.notified('grace');
    await act(ada, id, 'reassign', { users: [t.acme.users.edsger] });
    await t.notified('edsger');
    assert.notEqual(await nextOf(id), null);
    await act(ada, id, 'resolve');
  });

  it('are escalated from an acknowledgement to the stage above the last', async () => {
    const id = await pageTheTeam(t);
    await act(ada, id, 'acknowledge');
    const { body } = await act(ada, id, 'escalate');
    assert.deepEqual([body.changed, body.page.state], [true, 'notifying']);
    await t.notified('grace');
    await t.advance({ minutes: 5 });
    await t.notified('grace');
    await act(grace, id, 'resolve');
  });

  it('are reassigned after an acknowledgement, to a person or to a team, and refused if nobody can be reached', async () => {
    const id = await pageTheTeam(t);
    await act(ada, id, 'acknowledge');
    const handed = await act(ada, id, 'reassign', { users: [t.acme.users.edsger] });
    assert.equal(handed.body.page.state, 'notifying');
    await t.notified('edsger');
    const [asked] = (await detail(id)).page.notified;
    assert.deepEqual([asked.person.name, asked.as], ['Edsger', 'added']);
    await act(edsger, id, 'acknowledge');
    const nobody = await act(ada, id, 'reassign', { team: 'nobody' });
    assert.deepEqual([nobody.status, nobody.body.details[0].field], [400, 'team']);
    assert.equal((await act(ada, id, 'reassign', {})).status, 400);
    await act(ada, id, 'reassign', { team: 'sre' });
    await t.notified('ada');
    await act(ada, id, 'resolve');
    assert.equal((await act(ada, id, 'reassign', { team: 'sre' })).status, 409);
  });

  it('to one person follow the person to whom they are reassigned, or the team', async () => {
    const { page } = await t.status(await t.page('person', 'edsger@example.com'));
    await t.notified('edsger');
    await act(edsger, page.id, 'acknowledge');
    await act(edsger, page.id, 'reassign', { users: ['grace@example.com'] });
    await t.notified('grace');
    assert.equal((await detail(page.id)).page.person.name, 'Grace');
    await act(grace, page.id, 'acknowledge');
    await t.advance({ minutes: 31 });
    await t.notified('grace');
    await act(grace, page.id, 'reassign', { team: 'sre' });
    await t.notified('ada');
    assert.deepEqual(
      [(await detail(page.id)).page.kind, (await detail(page.id)).page.team.slug],
      ['team', 'sre'],
    );
    await act(ada, page.id, 'resolve');
  });

  it('stay acknowledged if people are added, who are notified until they answer', async () => {
    const id = await pageTheTeam(t);
    await act(ada, id, 'acknowledge');
    await t.advance({ minutes: 1 });
    const added = await act(ada, id, 'responders', { users: [t.acme.users.edsger] });
    assert.deepEqual([added.body.changed, added.body.page.state], [true, 'acknowledged']);
    const [webhook] = await t.notified('edsger');
    const awaited = async () =>
      (await detail(id)).page.notified.find((one: { awaited: boolean }) => one.awaited)?.person.name;
    assert.equal(await awaited(), 'Edsger');
    assert.ok(webhook);
    const shown = async () => (await fetch(webhook.body.acknowledge_url)).text();
    assert.match(await shown(), /<button type="submit">Acknowledge/);
    assert.equal((await t.acknowledge(webhook)).status, 200);
    assert.equal(await awaited(), undefined);
    assert.doesNotMatch(await shown(), /<button/);
    assert.ok((await kinds(id)).includes('joined'));
    const { page } = await detail(id);
    assert.deepEqual([page.state, page.acknowledged_by.name], ['acknowledged', 'Ada']);
    await act(ada, id, 'resolve');
  });
});
