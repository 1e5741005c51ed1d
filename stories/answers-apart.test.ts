import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dashboardClient } from '../testing/dashboard-client.ts';
import { eventually } from '../testing/eventually.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

describe('answers for one person are hidden from all others', () => {
  let t: Story;
  before(async () => {
    t = await story({ organization: { people: { ada: {}, grace: {} } } });
  });
  after(() => t.end());

  it('no page of another origin may read one', async () => {
    for (const path of ['/schedules', '/api/session', '/openapi.json', '/', '/nothing', '/page/team'])
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await fetch(t.url + path, {
          method,
          headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
        });
        const allowed = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
        assert.deepEqual(allowed, [], `${method} ${path}`);
      }
  });

  it('no cache stores one', async () => {
    const { cookie } = await signIn(t, 'ada');
    for (const [path, methods] of t.app.base.routeTable) {
      if (!path.startsWith('/api/') || path === '/api/events' || !methods.has('GET')) continue;
      const url = path.replace(/:\w+/g, 'page_1');
      for (const headers of [{ cookie }, { cookie: '' }]) {
        const answer = await fetch(t.url + url, { headers });
        assert.match(answer.headers.get('cache-control') ?? '', /no-store/, `${path} ${answer.status}`);
        await answer.text();
      }
    }
  });

  it('a new password ends every other session of the same person, and nobody else’s', async () => {
    const [here, there] = [await signIn(t, 'ada'), await signIn(t, 'ada')];
    const grace = await signIn(t, 'grace');
    const client = dashboardClient(t.url, here.cookie);
    assert.equal(
      (await client.call('POST', '/api/account/password', { password: 'correct horse battery' })).status,
      200,
    );
    // Another node may cache the session for half a second.
    await eventually(async () => (await there.call('GET', '/api/session')).status, 401);
    assert.equal((await client.call('GET', '/api/session')).status, 200);
    assert.equal((await grace.call('GET', '/api/session')).status, 200);
  });
});
