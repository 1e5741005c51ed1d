import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { INTEGRATIONS } from '../src/moments/integrations/registry.ts';
import { seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

describe('test calls and retries of all webhooks', () => {
  let t: Story;
  let ada: SignedIn;
  let linus: SignedIn;

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, linus: {}, grace: {} },
        teams: { sre: { members: ['ada'] }, web: { members: ['linus'] } },
      },
    });
    await t.db.updateTable('team_members').set({ role: 'manager' }).execute();
    [ada, linus] = [await signIn(t, 'ada'), await signIn(t, 'linus')];
  });
  after(() => t.end());

  async function webhook(type: string, team = 'sre', who = ada): Promise<{ id: string; url: string }> {
    const body = { team, type, name: `${type} ${Math.random()}` };
    return (await who.call('POST', '/api/webhooks', body)).body;
  }

  async function tried(id: string): Promise<{ state: string; reason: string; moments: { name: string }[] }> {
    const { status, body } = await ada.call('POST', `/api/webhooks/${id}/test`);
    assert.equal(status, 202, JSON.stringify(body));
    await t.settle();
    return (await ada.call('GET', `/api/notifications/${body.notification_id}`)).body;
  }

  for (const type of INTEGRATIONS)
    it(`try a webhook for ${type}, again and again`, async () => {
      const { id } = await webhook(type);
      const first = await tried(id);
      assert.deepEqual([first.state, first.moments.length], ['success', 1], first.reason);
      assert.match(first.moments[0]?.name ?? '', /^Test: ./);
      await t.advance({ minutes: 1 });
      const second = await tried(id);
      assert.deepEqual([second.state, second.moments.length], ['success', 1], second.reason);
    });

  it('create a current moment, and a new one if the last has ended', async () => {
    const { id } = await webhook('alertmanager');
    await tried(id);
    const list = async () => (await ada.call('GET', `/api/moments?webhook=${id}`)).body.moments;
    const [first] = await list();
    const now = await t.clock.now(t.db);
    assert.ok(Math.abs(Date.parse(first.occurred_at) - now.epochMilliseconds) < 3_600_000);
    await ada.call('POST', `/api/moments/${first.id}/resolve`);
    await t.advance({ minutes: 1 });
    await tried(id);
    assert.equal((await list()).length, 2);
  });

  it('are for the team, and only of the own organization', async () => {
    const { id } = await webhook('custom');
    assert.equal((await linus.call('POST', `/api/webhooks/${id}/test`)).status, 403);
    const others = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
    for (const path of [`/api/webhooks/${id}/test`, '/api/notifications/retry']) {
      const headers = { authorization: `Bearer ${others.key}` };
      const answer = await fetch(t.url + path, { method: 'POST', headers });
      if (path.endsWith('test')) assert.equal(answer.status, 404);
      else assert.deepEqual(await answer.json(), { retried: 0 });
    }
  });

  it('count failed calls, and process them again, each team its own', async () => {
    const [ours, theirs] = [await webhook('custom'), await webhook('custom', 'web', linus)];
    for (const { url } of [ours, ours, theirs])
      await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    const counts = async (query = '') => (await ada.call('GET', `/api/notifications/counts${query}`)).body;
    assert.deepEqual(await counts(`?webhook=${ours.id}`), { queued: 0, error: 2, ignored: 0 });
    assert.deepEqual(await counts(), { queued: 0, error: 3, ignored: 0 });
    const processed = async () => {
      const { body } = await ada.call('GET', `/api/notifications?webhook=${ours.id}`);
      return body.notifications.map((one: { processed_at: string }) => one.processed_at);
    };
    const first = await processed();
    await t.advance({ minutes: 1 });
    assert.deepEqual((await ada.call('POST', '/api/notifications/retry')).body, { retried: 2 });
    await t.settle();
    for (const at of await processed()) assert.ok(at > first[0], 'each was processed again');
    assert.deepEqual(await counts(), { queued: 0, error: 3, ignored: 0 });
    await t.db.updateTable('users').set({ role: 'admin' }).where('username', '=', 'grace').execute();
    const grace = await signIn(t, 'grace');
    assert.deepEqual((await grace.call('POST', '/api/notifications/retry')).body, { retried: 3 });
    await t.settle();
  });
});
