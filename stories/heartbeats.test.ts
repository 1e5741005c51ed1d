import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { SourceSettings } from '../src/sources/contract.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, type StorySource, story, webhookPeople } from '../testing/story.ts';

describe('a heartbeat', () => {
  let t: Story;
  before(async () => {
    t = await story({
      // Hours pass at once, which looks like a worker that stopped.
      env: { LOG_LEVEL: 'silent' },
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']], backstop: 'ada' }] } },
      }),
    });
    await t.db.updateTable('users').set({ role: 'owner' }).execute();
    await t.app.duties.runAll();
  });
  afterEach(async () => {
    await t.db.deleteFrom('page_sources').execute();
    t.receiver.inbox.takeAll();
  });
  after(() => t.end());

  const heartbeat = (settings: SourceSettings = {}) =>
    t.source({ team: 'sre', type: 'heartbeat', intervalMinutes: 10, settings });

  async function call({ url }: StorySource, init: RequestInit = {}) {
    const answer = await fetch(url, init);
    assert.equal(answer.status, 200);
    await check();
    return answer;
  }

  async function check(): Promise<void> {
    await t.app.duties.runAll();
    await t.settle();
  }

  async function pass(duration: Temporal.DurationLike): Promise<void> {
    t.clock.advance(duration);
    await check();
  }

  const pagesOf = async ({ id }: StorySource) =>
    (
      await t.db
        .selectFrom('pages')
        .select(['state', 'urgency', 'title'])
        .where('source_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ state, urgency, title }) => `${state} ${urgency} ${title}`);
  const stateOf = async ({ id }: StorySource) =>
    ((await t.get(`/api/sources/${id}`)).body.heartbeat as { state: string }).state;

  it('pages once when it is late, and its next call resolves the page', async () => {
    const beat = await heartbeat();
    await call(beat);
    await pass({ minutes: 9, seconds: 50 });
    assert.deepEqual([await pagesOf(beat), await stateOf(beat)], [[], 'on_time']);
    await pass({ seconds: 10 });
    const late = `The heartbeat of ${beat.name} is late`;
    assert.deepEqual(await pagesOf(beat), [`notifying high ${late}`]);
    assert.equal(await stateOf(beat), 'late');
    const [webhook] = await t.notified('ada');
    assert.equal(webhook?.body.title, late);
    await check();
    await t.notified();
    await call(beat);
    assert.deepEqual([await pagesOf(beat), await stateOf(beat)], [[`resolved high ${late}`], 'on_time']);
    t.receiver.inbox.takeAll();
    await pass({ minutes: 10 });
    assert.deepEqual(await pagesOf(beat), [`resolved high ${late}`, `notifying high ${late}`]);
  });

  it('names its page in the language of each person, and in English for programs', async () => {
    const { ada = '' } = t.acme.users;
    const [beat, reader] = [await heartbeat(), await signIn(t, 'ada')];
    await t.db.updateTable('users').set({ language: 'de' }).where('id', '=', ada).execute();
    try {
      await call(beat);
      await pass({ minutes: 10 });
      // Pages of the tests before escalate as well.
      const sent = t.receiver.inbox.takeAll();
      const webhook = sent.find(({ body }) => body.title === `The heartbeat of ${beat.name} is late`);
      assert.match(
        String(webhook?.body.text),
        /^The last call came at .* One is expected every 10 minutes\.$/,
      );
      const link = await fetch(String(webhook?.body.acknowledge_url), { headers: { accept: 'text/html' } });
      const shown = await link.text();
      assert.match(shown, new RegExp(`<h1>Der Heartbeat von ${beat.name} ist überfällig</h1>`));
      assert.match(shown, /Der letzte Aufruf kam um \S+\. Alle 10 Minuten wird einer erwartet\./);
      const titleIn = async (language: string) => {
        const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': language };
        const { body } = await reader.call('GET', '/api/pages?state=open', undefined, headers);
        return body.pages[0].title;
      };
      assert.equal(await titleIn('ja'), `${beat.name}のハートビートが遅延しています`);
      assert.equal(await titleIn('en'), `The heartbeat of ${beat.name} is late`);
    } finally {
      await t.db.updateTable('users').set({ language: null }).where('id', '=', ada).execute();
    }
  });

  it('accepts GET, HEAD or POST, with any body or none', async () => {
    const beat = await heartbeat();
    const get = await call(beat);
    const { message, due_at } = (await get.json()) as Record<string, string>;
    assert.equal(message, 'The heartbeat was recorded.');
    assert.ok(due_at);
    await call(beat, { method: 'HEAD' });
    await call(beat, { method: 'POST' });
    for (const type of ['application/json', 'text/plain', 'not a type'])
      await call(beat, { method: 'POST', body: '{broken', headers: { 'content-type': type } });
    assert.equal((await fetch(beat.url, { method: 'PUT' })).status, 405);
  });

  it('can be called by its name with a key of its team, as in Opsgenie and Grafana OnCall', async () => {
    const beat = await heartbeat();
    const { key: genie } = await t.source({ team: 'sre', type: 'opsgenie-api' });
    const ping = (name: string) =>
      fetch(`${t.url}/v2/heartbeats/${encodeURIComponent(name)}/ping`, {
        method: 'POST',
        headers: { authorization: `GenieKey ${genie}` },
      });
    assert.equal((await ping('Nobody')).status, 404);
    assert.equal(await stateOf(beat), 'waiting');
    const usedAt = async () => {
      const { last_used_at } = await t.db
        .selectFrom('webhooks')
        .select('last_used_at')
        .where('id', '=', beat.id)
        .executeTakeFirstOrThrow();
      return last_used_at;
    };
    assert.equal(await usedAt(), null);
    assert.equal((await ping(beat.name)).status, 202);
    assert.equal(await stateOf(beat), 'on_time');
    assert.notEqual(await usedAt(), null);
  });

  it('takes over the URL of a heartbeat monitor of GoAlert by its id, besides its own', async () => {
    const key = '4a0c2e5b-7f43-4a0e-9d53-2f7f1f4f9a11';
    const made = await t.post('/api/sources', {
      ...{ team: 'sre', name: 'Nightly backup', type: 'heartbeat', interval_minutes: 10, key },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { id, url } = made.body as { id: string; url: string };
    assert.deepEqual([made.body.key, made.body.key_last4], [null, '9a11'], 'its senders have the id already');
    const beat = { id, url, name: 'Nightly backup', token: '', key: null, path: new URL(url).pathname };
    const monitor = (path: string, of = key, method = 'POST') => fetch(t.url + path + of, { method });
    for (const path of ['/api/v2/heartbeat/', '/v1/api/heartbeat/']) {
      const answer = await monitor(path);
      assert.deepEqual([answer.status, await answer.text()], [200, ''], path);
      await check();
      assert.equal(await stateOf(beat), 'on_time');
      await pass({ minutes: 10 });
      assert.equal(await stateOf(beat), 'late');
    }
    assert.equal((await pagesOf(beat)).length, 2);
    await call(beat);
    assert.equal(await stateOf(beat), 'on_time');

    const unknown = await monitor('/api/v2/heartbeat/', '4a0c2e5b-7f43-4a0e-9d53-2f7f1f4f9a12');
    assert.deepEqual([unknown.status, await unknown.text()], [404, 'no heartbeat here has this id\n']);
    const { key: victorops } = await t.source({ team: 'sre', type: 'goalert' });
    assert.equal((await monitor('/api/v2/heartbeat/', victorops ?? '')).status, 404, 'of another type');
    assert.equal((await monitor('/api/v2/heartbeat/', key, 'GET')).status, 405);
    assert.equal((await monitor('/api/v2/heartbeat/', `${key}?dry_run=true`)).status, 400);

    const other = '4a0c2e5b-7f43-4a0e-9d53-2f7f1f4f9a13';
    const rotated = await t.post(`/api/sources/${id}/rotate`, { key: other });
    assert.equal(rotated.status, 200, JSON.stringify(rotated.body));
    assert.equal((rotated.body as { url: string }).url, url, 'its URL stays');
    assert.equal((await monitor('/api/v2/heartbeat/', other)).status, 200);
    const ill = await t.post(`/api/sources/${id}/rotate`, { key: 'backup' });
    assert.equal(ill.status, 400);
    assert.match(JSON.stringify(ill.body), /the id in the URL of a heartbeat monitor of GoAlert/);
  });

  it('has no dry runs: they are refused, and not recorded', async () => {
    const beat = await heartbeat();
    const { key: genie } = await t.source({ team: 'sre', type: 'opsgenie-api' });
    const { key: onCall } = await t.source({ team: 'sre', type: 'grafana-oncall', name: 'Cluster' });
    const ofCluster = await t.source({
      team: 'sre',
      type: 'heartbeat',
      name: 'Cluster heartbeat',
      intervalMinutes: 5,
    });
    const headers = { authorization: `GenieKey ${genie}` };
    for (const [url, sent] of [
      [beat.url, {}],
      [`${t.url}/v2/heartbeats/${encodeURIComponent(beat.name)}/ping`, { headers }],
      [`${t.url}/integrations/v1/grafana/${onCall}/heartbeat/`, {}],
    ] as const) {
      const refused = await fetch(`${url}?dry_run=true`, { method: 'POST', ...sent });
      assert.equal(refused.status, 400, url);
      assert.match(await refused.text(), /dry_run/);
    }
    assert.equal(await stateOf(beat), 'waiting');
    assert.equal(await stateOf(ofCluster), 'waiting');
  });

  it('is reached by no other route, and its route by no other source', async () => {
    const beat = await heartbeat();
    const other = await t.source({ team: 'sre' });
    assert.equal((await fetch(`${t.url}/heartbeat/${other.token}`)).status, 404);
    assert.equal((await fetch(`${t.url}/heartbeat/${'x'.repeat(43)}`)).status, 404);
    for (const path of [`/page/${beat.token}`, `/page/${beat.token}/heartbeat`, `/moment/${beat.token}`])
      assert.equal((await t.post(path, { title: 'x' }, {})).status, 404, path);
  });

  it('pages nobody before its first call', async () => {
    const beat = await heartbeat();
    await pass({ days: 2 });
    assert.deepEqual([await pagesOf(beat), await stateOf(beat)], [[], 'waiting']);
  });

  it('pages by the settings of its source', async () => {
    const low = await heartbeat({ urgencies: { critical: 'low' } });
    const none = await heartbeat({ urgencies: { critical: 'none' } });
    const later = await heartbeat({ wait_minutes: 3 });
    const kept = await heartbeat({ on_resolve: 'keep' });
    for (const one of [low, none, later, kept]) await call(one);
    await pass({ minutes: 10 });
    assert.match((await pagesOf(low)).join(), /^notifying low /);
    assert.deepEqual([await pagesOf(none), await pagesOf(later)], [[], []]);
    await call(kept);
    assert.match((await pagesOf(kept)).join(), /^notifying high /);
    await pass({ minutes: 3 });
    assert.match((await pagesOf(later)).join(), /^notifying high /);
  });

  it('pages after a window that held or recorded it, which counts it once', async () => {
    const ada = await signIn(t, 'ada');
    for (const effect of ['hold', 'record']) {
      const beat = await heartbeat();
      await call(beat);
      const body = { team: 'sre', name: `Upgrade, ${effect}`, effect, minutes: 30 };
      const made = await ada.call('POST', '/api/windows', body);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      for (const minutes of [10, 5, 5, 5]) await pass({ minutes });
      assert.deepEqual(await pagesOf(beat), []);
      const shown = await ada.call('GET', `/api/windows/${made.body.id}`);
      assert.deepEqual([shown.body.event_count, shown.body.held_count], [1, 1]);
      await pass({ minutes: 5 });
      assert.deepEqual(await pagesOf(beat), [`notifying high The heartbeat of ${beat.name} is late`]);
      await t.db.deleteFrom('page_sources').execute();
    }
  });

  it('ends when its source expires or is revoked', async () => {
    const beat = await heartbeat();
    await call(beat);
    await t.db
      .updateTable('webhooks')
      .set({ expires_at: (await t.clock.now(t.db)).add({ minutes: 5 }) })
      .where('id', '=', beat.id)
      .execute();
    await pass({ minutes: 20 });
    assert.deepEqual(await pagesOf(beat), []);
    const revoked = await heartbeat();
    await call(revoked);
    assert.equal((await fetch(`${t.url}/api/sources/${revoked.id}`, bearer('DELETE'))).status, 200);
    await pass({ minutes: 20 });
    assert.deepEqual(await pagesOf(revoked), []);
  });

  it('is not late for time in which the service was down, and gets its full interval from the start', async () => {
    const beat = await heartbeat();
    await call(beat);
    await t.restart({ hours: 3 });
    await check();
    assert.deepEqual([await pagesOf(beat), await stateOf(beat)], [[], 'on_time']);
    await pass({ minutes: 9, seconds: 50 });
    assert.deepEqual(await pagesOf(beat), []);
    await pass({ seconds: 10 });
    assert.match((await pagesOf(beat)).join(), /^notifying high /);
  });

  function bearer(method: string): RequestInit {
    return { method, headers: { authorization: `Bearer ${t.acme.key}` } };
  }
});
