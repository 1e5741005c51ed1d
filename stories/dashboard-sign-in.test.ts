import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../testing/eventually.ts';
import { signIn, signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('signing in to the dashboard', () => {
  let t: Story;

  before(async () => {
    t = await story({ organization: { people: { ada: {}, grace: {}, linus: {} } } });
  });
  after(() => t.end());

  it('shows a button first, so mail scanners do not use up the link', async () => {
    const link = await signInLink(t, 'grace');
    for (let visit = 0; visit < 2; visit++) {
      const shown = await fetch(link);
      assert.equal(shown.status, 200);
      assert.equal(shown.headers.get('set-cookie'), null);
      assert.match(await shown.text(), /Welcome, Grace.*<form method="post">/s);
    }
  });

  it('works once, however many requests use it at the same time', async () => {
    const link = await signInLink(t, 'grace');
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => fetch(link, { method: 'POST', headers: FORM, redirect: 'manual' })),
    );
    assert.deepEqual(tries.map(({ status }) => status).toSorted(), [303, ...Array(7).fill(410)]);
    assert.match(await (await fetch(link)).text(), /was already used.*sign-in-link grace@example\.com/s);
  });

  it('gives a cookie that scripts cannot read and other sites cannot use', async () => {
    const answer = await fetch(await signInLink(t, 'grace'), {
      method: 'POST',
      headers: FORM,
      redirect: 'manual',
    });
    const [session = '', device = '', ...others] = answer.headers.getSetCookie();
    assert.match(session, /^tocsin=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.match(device, /^tocsin-device=[\w.-]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.deepEqual(others, []);
    assert.equal(answer.headers.get('location'), '/');
  });

  it('ends after a day, and is refused to forms of other sites', async () => {
    const link = await signInLink(t, 'grace');
    const elsewhere = await fetch(link, {
      method: 'POST',
      headers: { ...FORM, 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(elsewhere.status, 403);
    t.clock.advance({ hours: 24 });
    assert.equal((await fetch(link)).status, 410);
    assert.equal((await fetch(link, { method: 'POST', headers: FORM, redirect: 'manual' })).status, 410);
    t.clock.advance({ hours: -24 });
    assert.equal((await fetch(`${t.url}/sign-in/${'x'.repeat(43)}`)).status, 404);
  });

  it('ends after 30 days, at sign-out, and when the person is disabled', async () => {
    const session = await signIn(t, 'linus');
    const status = async () => (await session.call('GET', '/api/session')).status;
    assert.equal(await status(), 200);
    t.clock.advance({ hours: 30 * 24 });
    await eventually(status, 401);
    t.clock.advance({ hours: -30 * 24 });
    assert.equal(await status(), 200);
    assert.equal((await session.call('DELETE', '/api/session')).status, 200);
    assert.equal(await status(), 401);
    const another = await signIn(t, 'linus');
    const linus = t.app.db.updateTable('users').where('id', '=', t.acme.users.linus ?? '');
    await linus.set({ disabled_at: await t.clock.now(t.app.db) }).execute();
    await eventually(async () => (await another.call('GET', '/api/session')).status, 401);
    await linus.set({ disabled_at: null }).execute();
  });
});
