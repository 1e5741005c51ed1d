import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

describe('received notifications in the dashboard', () => {
  let t: Story;
  let ada: SignedIn;
  let linus: SignedIn;
  let others: Organization;
  let custom: { id: string; url: string };
  let alerts: { id: string; url: string };

  before(async () => {
    t = await story({
      organization: { people: { ada: {}, linus: {} }, teams: { sre: { members: ['ada'] } } },
    });
    await t.db.updateTable('team_members').set({ role: 'manager' }).execute();
    [ada, linus] = [await signIn(t, 'ada'), await signIn(t, 'linus')];
    others = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
    custom = await make({ type: 'custom' });
    alerts = await make({ type: 'alertmanager' });
  });
  after(() => t.end());

  async function make(body: Record<string, unknown>): Promise<{ id: string; url: string }> {
    const whole = { team: 'sre', name: `${body.type} ${Math.random()}`, ...body };
    return (await ada.call('POST', '/api/webhooks', whole)).body;
  }

  const send = (url: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  const moment = (name: string) => JSON.stringify({ name, type: 'alert' });
  const list = async (query: string) => (await ada.call('GET', `/api/notifications?${query}`)).body;

  it('are listed newest first, page by page, and by their result', async () => {
    for (let index = 0; index < 5; index++) await send(custom.url, moment(`Moment ${index}`));
    await send(custom.url, '{"name": "no type"}');
    await send(alerts.url, 'junk');
    await t.settle();
    const all = await t.db.transaction().execute(async (tx) => {
      // Until this commits, no moment is recorded and the next call waits.
      await sql`lock table moments in share mode`.execute(tx);
      await send(custom.url, moment('waits'));
      return list('limit=200');
    });
    assert.deepEqual(
      all.notifications.map(({ state }: { state: string }) => state),
      ['queued', 'error', 'error', 'success', 'success', 'success', 'success', 'success'],
    );
    assert.equal(all.has_more, false);
    const [, failed, refused, success] = all.notifications;
    assert.match(failed.reason, /Alertmanager notification \(version 4\) is expected/);
    assert.deepEqual([failed.webhook.id, failed.webhook.team, failed.bytes], [alerts.id, 'sre', 4]);
    assert.match(refused.reason, /type is missing/);
    assert.equal(refused.request_id, null, 'it was answered 400, so that no request stands behind it');
    assert.deepEqual([success.moments, success.reason, success.may_retry], [1, null, false]);

    const seen: string[] = [];
    for (let before = ''; ; before = `&before=${seen.at(-1)}`) {
      const page = await list(`limit=3${before}`);
      seen.push(...page.notifications.map(({ id }: { id: string }) => id));
      if (!page.has_more) break;
    }
    assert.deepEqual(
      seen,
      all.notifications.map(({ id }: { id: string }) => id),
    );
    const ids = async (query: string) =>
      (await list(query)).notifications.map(({ id }: { id: string }) => id);
    assert.deepEqual(await ids('state=error'), [failed.id, refused.id]);
    assert.deepEqual(await ids(`state=error&webhook=${custom.id}`), [refused.id]);
    assert.deepEqual(await ids(`webhook=${alerts.id}`), [failed.id]);
    const wrong = await ada.call('GET', '/api/notifications?state=lost&limit=0');
    assert.deepEqual(
      wrong.body.details.map(({ field }: { field: string }) => field),
      ['state', 'limit'],
    );
    await t.settle();
  });

  it('are shown as received, without secrets, with their moments', async () => {
    await send(custom.url, moment('Grüße 🔥'), { 'x-api-key': 'hush', 'x-trace': '7' });
    await t.settle();
    const [{ id }] = (await list('limit=1')).notifications;
    const { body } = await linus.call('GET', `/api/notifications/${id}`);
    assert.deepEqual(body.body, { encoding: 'utf-8', content: moment('Grüße 🔥'), whole: true });
    assert.equal(body.headers['x-trace'], '7');
    assert.equal('x-api-key' in body.headers, false);
    assert.deepEqual(
      body.moments.map(({ name, state }: Record<string, unknown>) => [name, state]),
      [['Grüße 🔥', 'open']],
    );
    // Refused calls are stored, too.
    const refused = await fetch(alerts.url, { method: 'POST', body: new Uint8Array([0xff, 0xfe, 0x00]) });
    assert.equal(refused.status, 400);
    const [odd] = (await list('limit=1')).notifications;
    const shown = (await ada.call('GET', `/api/notifications/${odd.id}`)).body;
    assert.deepEqual(shown.body, { encoding: 'base64', content: '//4A', whole: true });
  });

  it('are processed again if they failed: one, or all of a webhook', async () => {
    const webhook = await make({ type: 'alertmanager' });
    const firing = { ...{ version: '4', groupKey: 'k', status: 'firing' }, alerts: [{ status: 'firing' }] };
    for (let index = 0; index < 3; index++) await send(webhook.url, JSON.stringify(firing));
    await t.settle();
    const states = async () =>
      (await list(`webhook=${webhook.id}`)).notifications.map(({ state }: { state: string }) => state);
    const failing = () =>
      t.db
        .updateTable('received_notifications')
        .set({ state: 'error', reason: 'An adapter of former times failed.' })
        .where('webhook_id', '=', webhook.id)
        .execute();
    await failing();
    const [newest] = (await list(`webhook=${webhook.id}`)).notifications;
    assert.equal(newest.may_retry, true);
    const refused = await linus.call('POST', `/api/notifications/${newest.id}/retry`);
    assert.equal(refused.status, 403);
    assert.equal((await linus.call('POST', `/api/webhooks/${webhook.id}/retry`)).status, 403);

    assert.deepEqual((await ada.call('POST', `/api/notifications/${newest.id}/retry`)).body, { retried: 1 });
    await t.settle();
    const [first, ...rest] = await states();
    assert.notEqual(first, 'error');
    assert.deepEqual(rest, ['error', 'error']);
    assert.equal((await ada.call('POST', `/api/notifications/${newest.id}/retry`)).status, 404);
    assert.deepEqual((await ada.call('POST', `/api/webhooks/${webhook.id}/retry`)).body, { retried: 2 });
    await t.settle();
    assert.equal((await states()).includes('error'), false);
    assert.deepEqual((await ada.call('POST', `/api/webhooks/${webhook.id}/retry`)).body, { retried: 0 });
  });

  it('are not processed again if they were too large to store', async () => {
    const webhook = await make({ type: 'custom' });
    assert.equal((await send(webhook.url, moment('x'.repeat(300_000)))).status, 413);
    const [large] = (await list(`webhook=${webhook.id}`)).notifications;
    assert.deepEqual([large.state, large.bytes, large.may_retry], ['error', 0, false]);
    assert.equal((await ada.call('POST', `/api/notifications/${large.id}/retry`)).status, 409);
    assert.deepEqual((await ada.call('POST', `/api/webhooks/${webhook.id}/retry`)).body, { retried: 0 });
  });

  it('are never processed if they were not signed', async () => {
    const webhook = await make({ type: 'custom', signing_secret: SECRET });
    assert.equal((await send(webhook.url, moment('forged'))).status, 401);
    const [forged] = (await list(`webhook=${webhook.id}`)).notifications;
    assert.deepEqual([forged.state, forged.may_retry], ['error', false]);
    const answer = await ada.call('POST', `/api/notifications/${forged.id}/retry`);
    assert.equal(answer.status, 409);
    assert.match(answer.body.details[0].message, /has no valid signature/);
    assert.deepEqual((await ada.call('POST', `/api/webhooks/${webhook.id}/retry`)).body, { retried: 0 });
  });

  it('are hidden from other organizations', async () => {
    const [{ id }] = (await list('limit=1')).notifications;
    const as = (method: string, path: string) =>
      fetch(t.url + path, { method, headers: { authorization: `Bearer ${others.key}` } });
    assert.equal((await as('GET', `/api/notifications/${id}`)).status, 404);
    assert.equal((await as('POST', `/api/notifications/${id}/retry`)).status, 404);
    assert.equal((await as('POST', `/api/webhooks/${custom.id}/retry`)).status, 404);
    for (const query of ['', `?webhook=${custom.id}`]) {
      const answer = await (await as('GET', `/api/notifications${query}`)).json();
      assert.deepEqual(answer, { notifications: [], has_more: false });
    }
  });
});
