import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generate } from 'otplib';
import { type Client, dashboardClient } from '../testing/dashboard-client.ts';
import { eventually } from '../testing/eventually.ts';
import { signIn, signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const PASSWORD = 'correct horse battery';

describe('signing in by password', () => {
  let t: Story;

  before(async () => {
    t = await story({ organization: { people: { ada: {}, grace: {}, linus: {}, alan: {}, joan: {} } } });
  });
  after(() => t.end());

  /** A person who came in by a link once and chose a password. */
  async function withPassword(person: string): Promise<Client> {
    const { cookie } = await signIn(t, person);
    const client = dashboardClient(t.url, cookie);
    assert.deepEqual((await client.call('POST', '/api/account/password', { password: PASSWORD })).body, {
      changed: true,
    });
    return client;
  }

  const tryPassword = (client: Client, person: string, password = PASSWORD) =>
    client.call('POST', '/api/sign-in/password', { email: `${person}@Example.com `, password });

  it('begins a session whose browser, place and way in are listed, and ends those elsewhere at once', async () => {
    const first = await withPassword('ada');
    const second = dashboardClient(t.url);
    assert.deepEqual((await tryPassword(second, 'ada')).body, { signed_in: true });
    const { sessions, password } = (await second.call('GET', '/api/account')).body;
    assert.equal(password, true);
    assert.deepEqual(
      sessions.map(({ browser, place, method, current }: Record<string, unknown>) => [
        browser,
        place,
        method,
        current,
      ]),
      [
        ['Firefox on Linux', 'this machine', 'password', true],
        ['Another browser', 'this machine', 'link', false],
      ],
    );
    assert.equal(JSON.stringify(sessions).includes(second.cookie().split('=')[1] ?? '-'), false);
    assert.equal((await first.call('GET', '/api/session')).status, 200);
    assert.deepEqual((await second.call('DELETE', '/api/account/sessions')).body, { ended: 1 });
    await eventually(async () => (await first.call('GET', '/api/session')).status, 401);
    const { id } = (await second.call('GET', '/api/account')).body.sessions[0];
    const other = await withPassword('grace');
    assert.equal((await other.call('DELETE', `/api/account/sessions/${id}`)).status, 404);
  });

  it('gives a new identifier each time, and ends the session that the browser had', async () => {
    const client = await withPassword('ada');
    const before = client.cookie();
    await tryPassword(client, 'ada');
    assert.notEqual(client.cookie(), before);
    assert.equal((await dashboardClient(t.url, before).call('GET', '/api/session')).status, 401);
  });

  it('gives the same answer to a wrong password and to a stranger', async () => {
    await withPassword('linus');
    const answers = [
      await tryPassword(dashboardClient(t.url), 'linus', 'wrong password'),
      await tryPassword(dashboardClient(t.url), 'nobody', 'wrong password'),
      // Alan exists and has no password.
      await tryPassword(dashboardClient(t.url), 'alan', 'wrong password'),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 401],
    );
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  });

  it('lets people sign in where they have signed in before, however strangers guess', async () => {
    await withPassword('grace');
    const home = dashboardClient(t.url);
    assert.equal((await tryPassword(home, 'grace')).status, 200);
    const stranger = dashboardClient(t.url);
    for (let guess = 0; guess < 5; guess++)
      assert.equal((await tryPassword(stranger, 'grace', 'wrong password')).status, 401);
    assert.equal((await tryPassword(dashboardClient(t.url), 'grace')).status, 429);
    assert.equal((await tryPassword(home, 'grace')).status, 200);
    // A person who has the device gets no more attempts than anybody else.
    for (let guess = 0; guess < 5; guess++)
      assert.equal((await tryPassword(home, 'grace', 'wrong password')).status, 401);
    assert.equal((await tryPassword(home, 'grace')).status, 429);
    t.clock.advance({ seconds: 15 });
    assert.equal((await tryPassword(home, 'grace')).status, 200);
    assert.equal((await tryPassword(dashboardClient(t.url), 'grace')).status, 200);
    t.clock.advance({ seconds: -15 });
  });

  it('lets people sign in where a sign-in link was used before, however strangers guess', async () => {
    await withPassword('linus');
    // Resets the earlier attempts.
    assert.equal((await tryPassword(dashboardClient(t.url), 'linus')).status, 200);
    const arrived = await fetch(await signInLink(t, 'linus', { withoutSecondFactor: true }), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    });
    assert.equal(arrived.status, 303);
    const cookies = arrived.headers.getSetCookie();
    assert.equal(cookies.length, 2);
    const device = cookies.find((line) => /^[^=]*-device=/.test(line))?.split(';')[0] ?? '';
    const stranger = dashboardClient(t.url);
    for (let guess = 0; guess < 5; guess++)
      assert.equal((await tryPassword(stranger, 'linus', 'wrong password')).status, 401);
    assert.equal((await tryPassword(dashboardClient(t.url), 'linus')).status, 429);
    assert.equal((await tryPassword(dashboardClient(t.url, device), 'linus')).status, 200);
    t.clock.advance({ seconds: 15 });
    assert.equal((await tryPassword(dashboardClient(t.url), 'linus')).status, 200);
    t.clock.advance({ seconds: -15 });
  });

  it('makes guessers wait, states how long, and leaves the account alone afterwards', async () => {
    await withPassword('grace');
    const guesses = await Promise.all(
      // All spellings of the address lead to the same account.
      Array.from({ length: 12 }, (_, n) =>
        tryPassword(dashboardClient(t.url), `${' '.repeat(n)}${n % 2 ? 'GRACE' : 'grace'}`, 'wrong password'),
      ),
    );
    assert.equal(guesses.filter(({ status }) => status === 401).length, 5);
    const client = dashboardClient(t.url);
    const refused = await tryPassword(client, 'grace');
    assert.equal(refused.status, 429);
    assert.match(refused.body.details[0].message, /tried too often; wait \d+ s/);
    assert.ok(Number(client.headers().get('retry-after')) <= 15);
    t.clock.advance({ seconds: 15 });
    assert.equal((await tryPassword(client, 'grace')).status, 200);
    t.clock.advance({ seconds: -15 });
  });

  it('works only from our own pages', async () => {
    const body = JSON.stringify({ email: 'ada@example.com', password: PASSWORD });
    for (const headers of [
      { 'content-type': 'application/json' },
      { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
    ])
      assert.equal(
        (await fetch(`${t.url}/api/sign-in/password`, { method: 'POST', headers, body })).status,
        403,
      );
    const headers = { 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' };
    assert.equal(
      (await fetch(`${t.url}/api/sign-in/password`, { method: 'POST', headers, body })).status,
      415,
    );
  });

  it('ends after a fortnight without use, and after thirty days in any case', async () => {
    const client = await withPassword('linus');
    const status = async () => (await client.call('GET', '/api/session')).status;
    t.clock.advance({ hours: 13 * 24 });
    await eventually(status, 200);
    await t.app.duties.runAll();
    t.clock.advance({ hours: 13 * 24 });
    await eventually(status, 200);
    t.clock.advance({ hours: 4 * 24 });
    await eventually(status, 401);
    t.clock.advance({ hours: -30 * 24 });
    const idle = await withPassword('linus');
    t.clock.advance({ hours: 14 * 24 });
    await eventually(async () => (await idle.call('GET', '/api/session')).status, 401);
    t.clock.advance({ hours: -14 * 24 });
  });

  it('requires re-authentication before dangerous actions, and continues with a new token', async () => {
    const client = await withPassword('alan');
    t.clock.advance({ minutes: 61 });
    const change = () => client.call('POST', '/api/account/password', { password: 'another horse battery' });
    const refused = await change();
    assert.deepEqual([refused.status, refused.body.details[0].field], [403, 'confirmation']);
    assert.equal((await client.call('POST', '/api/account/confirm', { password: 'wrong' })).status, 400);
    assert.equal((await client.call('POST', '/api/account/confirm', {})).status, 400);
    const before = client.cookie();
    assert.equal((await client.call('POST', '/api/account/confirm', { password: PASSWORD })).status, 200);
    assert.notEqual(client.cookie(), before);
    await eventually(
      async () => (await dashboardClient(t.url, before).call('GET', '/api/session')).status,
      401,
    );
    assert.equal((await change()).status, 200);
    t.clock.advance({ minutes: -61 });
  });

  it('refuses weak passwords, and all API keys', async () => {
    const client = await withPassword('joan');
    for (const password of ['short', 'joan@example.com', 'password1234']) {
      const { status, body } = await client.call('POST', '/api/account/password', { password });
      assert.deepEqual([status, body.details[0].field], [400, 'password'], password);
    }
    const byKey = await fetch(`${t.url}/api/account/password`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    });
    assert.equal(byKey.status, 403);
  });

  describe('with a second factor', () => {
    let client: Client;
    let secret: string;
    let recovery: string[];
    const code = async (steps = 0) =>
      generate({
        secret,
        epoch: Math.floor((await t.clock.now(t.db)).epochMilliseconds / 1_000) + steps * 30,
      });

    before(async () => {
      client = await withPassword('joan');
      const begun = (await client.call('POST', '/api/account/codes/begin')).body;
      secret = begun.secret;
      const wrong = await client.call('POST', '/api/account/codes', { token: begun.token, code: '000000' });
      assert.equal(wrong.status, 400);
      const set = await client.call('POST', '/api/account/codes', { token: begun.token, code: await code() });
      recovery = set.body.recovery_codes;
      assert.equal(recovery.length, 10);
    });

    async function ticket(): Promise<[Client, string]> {
      const fresh = dashboardClient(t.url);
      const { body } = await tryPassword(fresh, 'joan');
      assert.equal(body.signed_in, false);
      assert.equal(fresh.cookie(), '');
      return [fresh, body.ticket];
    }

    it('requires a code, which works once', async () => {
      t.clock.advance({ seconds: 60 });
      const [first, one] = await ticket();
      const now = await code();
      const send = (who: Client, which: string, given: string) =>
        who.call('POST', '/api/sign-in/code', { ticket: which, code: given });
      assert.equal((await send(first, one, '123456')).status, 401);
      assert.equal((await send(first, one, now)).status, 200);
      assert.equal((await first.call('GET', '/api/session')).status, 200);
      const [second, two] = await ticket();
      assert.equal((await send(second, two, now)).status, 401);
      assert.equal((await send(second, one, await code(1))).status, 410);
      const [lost] = recovery;
      assert.equal((await send(second, two, lost ?? '')).status, 200);
      const [third, three] = await ticket();
      assert.equal((await send(third, three, lost ?? '')).status, 401);
      assert.equal((await second.call('GET', '/api/account')).body.recovery_codes_left, 9);
    });

    it('cannot be guessed', async () => {
      const [guesser, which] = await ticket();
      const guesses = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          guesser.call('POST', '/api/sign-in/code', { ticket: which, code: String(100_000 + n) }),
        ),
      );
      assert.ok(guesses.filter(({ status }) => status === 401).length <= 5);
      assert.ok(guesses.some(({ status }) => status === 429));
    });

    it('lets people sign in where they have signed in before, however somebody with their password guesses codes', async () => {
      // In the browser in which they set it up.
      const home = client;
      t.clock.advance({ hours: 2 });
      const enter = async (who: Client, given: string) => {
        const { body } = await tryPassword(who, 'joan');
        return (await who.call('POST', '/api/sign-in/code', { ticket: body.ticket, code: given })).status;
      };
      assert.equal(await enter(home, await code()), 200);
      const thief = dashboardClient(t.url);
      for (let guess = 0; guess < 5; guess++) assert.equal(await enter(thief, '000000'), 401);
      assert.equal(await enter(thief, await code(1)), 429);
      assert.equal(await enter(home, await code(1)), 200);
      t.clock.advance({ minutes: 10 });
    });

    it('can be required for everybody: only the account is available until it is set up', async () => {
      const grace = await withPassword('grace');
      const ask = (requires_two_factor: boolean) =>
        t.db.updateTable('organizations').set({ requires_two_factor }).where('id', '=', t.acme.id).execute();
      await ask(true);
      await eventually(async () => (await grace.call('GET', '/api/pages')).status, 403);
      assert.equal((await grace.call('GET', '/api/session')).status, 200);
      assert.equal((await grace.call('GET', '/api/account')).body.two_factor_required, true);
      assert.equal((await client.call('GET', '/api/pages')).status, 200);
      assert.equal((await client.call('DELETE', '/api/account/codes')).status, 409);
      await ask(false);
      await eventually(async () => (await grace.call('GET', '/api/pages')).status, 200);
      assert.equal((await client.call('DELETE', '/api/account/codes')).body.removed, true);
      assert.deepEqual((await tryPassword(dashboardClient(t.url), 'joan')).body, { signed_in: true });
    });
  });
});
