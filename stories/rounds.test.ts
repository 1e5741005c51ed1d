import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import type { Story } from '../testing/story.ts';
import { pageTheTeam, twoStageStory } from '../testing/two-stage-story.ts';

describe('the rounds of a schedule', () => {
  let t: Story;
  let ada: SignedIn;
  let path: string;

  before(async () => {
    t = await twoStageStory();
    await t.db.updateTable('users').set({ role: 'admin' }).execute();
    ada = await signIn(t, 'ada');
    path = `/api/schedules/${(await ada.call('GET', '/api/schedules')).body.schedules[0].id}`;
  });
  after(() => t?.end());

  const pageOf = async (id: string) => (await ada.call('GET', `/api/pages/${id}`)).body.page;
  /** One round: Ada, after five minutes Grace, after ten minutes Grace as the backstop. */
  async function restOfRound(): Promise<void> {
    await t.advance({ minutes: 5, seconds: 1 });
    await t.notified('grace');
    await t.advance({ minutes: 5, seconds: 1 });
    await t.notified('grace');
    await t.advance({ minutes: 5, seconds: 1 });
  }

  it('are three unless it is configured, from one to ten', async () => {
    assert.equal((await ada.call('GET', path)).body.rounds, 3);
    for (const rounds of [0, 11, 1.5]) {
      const refused = await ada.call('PATCH', path, { rounds });
      assert.deepEqual([refused.status, refused.body.details[0].field], [400, 'rounds']);
    }
    const saved = await ada.call('PATCH', path, { rounds: 1 });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    assert.deepEqual([saved.body.rounds, saved.body.changes], [1, ['rounds: was 3, is 1']]);
  });

  it('end an unanswered page', async () => {
    const id = await pageTheTeam(t);
    const { round, last_round } = await pageOf(id);
    assert.deepEqual([round, last_round], [1, 1]);
    await restOfRound();
    assert.equal((await pageOf(id)).state, 'expired');
    t.receiver.inbox.takeAll();
    await ada.call('POST', `/api/pages/${id}/resolve`);
    await t.settle();
  });

  it('may be more than three, and apply from the next step of an open page on', async () => {
    const id = await pageTheTeam(t);
    await ada.call('PATCH', path, { rounds: 4 });
    assert.equal((await pageOf(id)).last_round, 4);
    for (let round = 1; round < 4; round++) {
      await restOfRound();
      await t.notified('ada');
      assert.deepEqual([(await pageOf(id)).state, (await pageOf(id)).round], ['notifying', round + 1]);
    }
    await restOfRound();
    assert.equal((await pageOf(id)).state, 'expired');
    t.receiver.inbox.takeAll();
  });
});
