import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../testing/eventually.ts';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import type { Story } from '../testing/story.ts';
import { pageTheTeam, twoStageStory } from '../testing/two-stage-story.ts';

describe('rights in the dashboard', () => {
  let t: Story;
  let ada: SignedIn;
  let edsger: SignedIn;
  let others: Organization;

  before(async () => {
    t = await twoStageStory();
    ada = await signIn(t, 'ada');
    edsger = await signIn(t, 'edsger');
    others = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
  });
  after(() => t.end());

  const newPage = (body?: Record<string, unknown>) => pageTheTeam(t, body);

  it('show who is signed in, and nothing to anybody else', async () => {
    const { body } = await ada.call('GET', '/api/session');
    assert.deepEqual(
      [body.user.email, body.organization.name, body.teams[0].slug],
      ['ada@example.com', 'Acme', 'sre'],
    );
    for (const path of [
      '/api/session',
      '/api/pages',
      '/api/people',
      '/api/problems',
      '/api/keys',
      '/api/events',
    ])
      assert.equal((await fetch(t.url + path)).status, 401, path);
    assert.equal((await fetch(`${t.url}/api/session`, { headers: { cookie: 'tocsin=wrong' } })).status, 401);
  });

  it('allow changes by cookie only from our own pages, as JSON', async () => {
    const id = await newPage();
    const path = `/api/pages/${id}/acknowledge`;
    const own = { origin: t.url };
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site', ...own },
    ])
      assert.equal((await ada.call('POST', path, {}, headers as Record<string, string>)).status, 403);
    const form = { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' };
    assert.equal((await ada.call('POST', path, {}, form)).status, 415);
    assert.equal((await ada.call('GET', `/api/pages/${id}`)).body.page.state, 'notifying');
    assert.equal((await ada.call('POST', path, {}, own)).body.page.state, 'acknowledged');
  });

  it('let everybody read, and let the people concerned act', async () => {
    const id = await newPage();
    const seen = await edsger.call('GET', `/api/pages/${id}`);
    assert.deepEqual([seen.status, seen.body.page.may_act, seen.body.page.mine], [200, false, false]);
    const refused = await edsger.call('POST', `/api/pages/${id}/resolve`);
    assert.equal(refused.status, 403);
    assert.match(refused.body.details[0].message, /belongs to the team SRE/);
    await t.app.db
      .updateTable('users')
      .set({ role: 'admin' })
      .where('id', '=', t.acme.users.edsger ?? '')
      .execute();
    await eventually(async () => (await edsger.call('GET', `/api/pages/${id}`)).body.page.may_act, true);
    assert.equal((await edsger.call('POST', `/api/pages/${id}/resolve`)).body.changed, true);
    await t.app.db
      .updateTable('users')
      .set({ role: 'member' })
      .where('id', '=', t.acme.users.edsger ?? '')
      .execute();
  });

  it('hide everything from another organization', async () => {
    const id = await newPage();
    const bearer = { authorization: `Bearer ${others.key}`, 'content-type': 'application/json' };
    for (const [method, path] of [
      ['GET', `/api/pages/${id}`],
      ['POST', `/api/pages/${id}/acknowledge`],
    ] as const)
      assert.equal((await fetch(t.url + path, { method, headers: bearer })).status, 404);
    const list = await (await fetch(`${t.url}/api/pages?state=all`, { headers: bearer })).json();
    assert.deepEqual(list, { pages: [], has_more: false });
    const people = await (await fetch(`${t.url}/api/people`, { headers: bearer })).json();
    assert.deepEqual(
      (people as { people: { name: string }[] }).people.map(({ name }) => name),
      ['Eve'],
    );
    await ada.call('POST', `/api/pages/${id}/resolve`);
  });
  it('let a browser subscribe once, for its current user', async () => {
    const point = createECDH('prime256v1').generateKeys('base64url');
    const subscription = {
      endpoint: 'https://push.example.com/send/abc',
      keys: { p256dh: point, auth: randomBytes(16).toString('base64url') },
    };
    assert.match((await ada.call('GET', '/api/push/key')).body.key, /^B[\w-]{86}$/);
    const wrong = await ada.call('POST', '/api/push/subscriptions', {
      ...subscription,
      keys: { p256dh: 'x', auth: 'y' },
    });
    assert.deepEqual(
      wrong.body.details.map(({ field }: { field: string }) => field),
      ['keys.p256dh', 'keys.auth'],
    );
    const first = await ada.call('POST', '/api/push/subscriptions', subscription);
    assert.equal((await ada.call('POST', '/api/push/subscriptions', subscription)).body.id, first.body.id);
    const mine = async (who: SignedIn) =>
      (await who.call('GET', '/api/contact-methods')).body.contact_methods
        .filter(({ type }: { type: string }) => type === 'push')
        .map(({ value, verified }: Record<string, unknown>) => [value, verified]);
    assert.deepEqual(await mine(ada), [['push.example.com', true]]);
    await edsger.call('POST', '/api/push/subscriptions', subscription);
    assert.deepEqual(await mine(ada), []);
    const { endpoint } = subscription;
    assert.deepEqual((await edsger.call('DELETE', '/api/push/subscriptions', { endpoint })).body, {
      removed: true,
    });
    assert.deepEqual(await mine(edsger), []);
  });

  it('allow keys with limited scopes', async () => {
    const body = { name: 'pager', scopes: ['pages', 'requests'] };
    const { key, id } = (await ada.call('POST', '/api/keys', body)).body;
    assert.equal((await t.get('/schedules', key)).status, 403);
    assert.equal((await t.get('/request/request_01h455vb4pex5vsknk084sn02q/status', key)).status, 404);
    const [listed] = (await ada.call('GET', '/api/keys')).body.keys;
    assert.deepEqual([listed.id, listed.scopes], [id, ['pages', 'requests']]);
    const wrong = await ada.call('POST', '/api/keys', { name: 'x', scopes: ['everything'] });
    assert.equal(wrong.status, 400);
    assert.match(JSON.stringify(wrong.body.details), /pages.*moments.*requests/);
    assert.equal((await ada.call('POST', '/api/keys', { name: 'x', scopes: [] })).status, 400);
    await ada.call('DELETE', `/api/keys/${id}`);
  });

  it('show a new key once; it works, and stops working within a second', async () => {
    const made = (await ada.call('POST', '/api/keys', { name: 'ci' })).body;
    assert.match(made.key, /^tocsin_/);
    const listed = (await ada.call('GET', '/api/keys')).body.keys;
    assert.equal(listed[0].name, 'ci');
    assert.equal(JSON.stringify(listed).includes(made.key), false);
    assert.equal((await t.get('/schedules', made.key)).status, 200);
    assert.equal((await edsger.call('DELETE', `/api/keys/${made.id}`)).status, 404);
    assert.equal((await ada.call('DELETE', `/api/keys/${made.id}`)).status, 200);
    await eventually(async () => (await t.get('/schedules', made.key)).status, 401);
    const late = await ada.call('POST', '/api/keys', { name: 'late', expires_at: '2020-01-01T00:00:00Z' });
    assert.match(late.body.details[0].message, /is in the past/);
  });
});
