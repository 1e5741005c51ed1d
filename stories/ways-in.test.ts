import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { generate } from 'otplib';
import { type Client, dashboardClient } from '../testing/dashboard-client.ts';
import { eventStream } from '../testing/event-stream.ts';
import { eventually } from '../testing/eventually.ts';
import { confirmSessions, signIn, signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const PASSWORD = 'correct horse battery';

/** Somebody has a stolen key, or uses a browser that was left open, and wants lasting access. */
describe('a credential', () => {
  let t: Story;
  before(async () => {
    t = await story({
      organization: { people: { ada: {}, grace: {}, mary: {}, alan: {}, joan: {}, linus: {} } },
    });
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
  });
  after(() => t.end());

  const own = (person: string) => `/api/people/${t.acme.users[person]}/sign-in-link`;
  const follow = (url: string) =>
    fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    });
  const client = async (person: string): Promise<Client> =>
    dashboardClient(t.url, (await signIn(t, person)).cookie);

  async function withCodes(person: string): Promise<{ client: Client; code: () => Promise<string> }> {
    const who = await client(person);
    const { secret, token } = (await who.call('POST', '/api/account/codes/begin')).body;
    const code = async () =>
      generate({ secret, epoch: Math.floor((await t.clock.now(t.db)).epochMilliseconds / 1_000) });
    const set = await who.call('POST', '/api/account/codes', { token, code: await code() });
    assert.equal(set.status, 200, JSON.stringify(set.body));
    return { client: who, code };
  }

  it('is not given to an API key, whatever its access', async () => {
    const ada = await client('ada');
    const make = async (about: object) =>
      (await ada.call('POST', '/api/keys', { name: 'k', ...about })).body.key;
    for (const key of [await make({}), await make({ full: true }), await make({ scopes: ['pages'] })]) {
      const headers = { authorization: `Bearer ${key}` };
      for (const [path, body] of [
        [own('ada'), {}],
        ['/api/invitations', { email: 'eve@example.com', role: 'owner' }],
        ['/api/keys', { name: 'more' }],
        ['/api/account/password', { password: PASSWORD }],
        ['/api/two-factor', { required: false }],
      ] as const)
        assert.equal((await t.post(path, body, headers)).status, 403, path);
    }
    const links = await t.db
      .selectFrom('sign_in_links')
      .select('made_by')
      .where('made_by', 'is not', null)
      .execute();
    assert.deepEqual(links, []);
    const both = await ada.call('POST', '/api/keys', { name: 'k', full: true, scopes: ['pages'] });
    assert.match(JSON.stringify(both.body), /leave out one of the two/);
  });

  it('is not given to an unconfirmed session', async () => {
    const ada = await client('ada');
    t.clock.advance({ minutes: 61 });
    const refused = await ada.call('POST', own('ada'));
    assert.deepEqual([refused.status, refused.body.details[0].field], [403, 'confirmation']);
    assert.equal((await ada.call('POST', '/api/invitations', { email: 'eve@example.com' })).status, 403);
  });

  it('for oneself is announced by a notice, and ends with a new password and with all sessions', async () => {
    const ada = await client('ada');
    const link = async () => String((await ada.call('POST', own('ada'))).body.url);
    const [first, second] = [await link(), await link()];
    const { notices } = (await ada.call('GET', '/api/notices')).body;
    assert.match(JSON.stringify(notices), /created from one of your sessions/);
    assert.equal((await ada.call('POST', '/api/account/password', { password: PASSWORD })).status, 200);
    for (const url of [first, second]) assert.equal((await follow(url)).status, 410, 'after a new password');
    const third = await link();
    await ada.call('DELETE', '/api/account/sessions');
    assert.equal((await follow(third)).status, 410, 'after the end of all sessions');
    assert.equal((await follow(await link())).status, 303);
  });

  it('by link requires a code from people with an app, and ends with the sessions', async () => {
    const { client: grace, code } = await withCodes('grace');
    const ada = await client('ada');
    await confirmSessions(t);
    const go = async () => {
      const answer = await follow(String((await ada.call('POST', own('grace'))).body.url));
      assert.deepEqual([answer.status, answer.headers.getSetCookie()], [303, []]);
      return /^\/sign-in#(.+)$/.exec(answer.headers.get('location') ?? '')?.[1] ?? '';
    };
    const thief = dashboardClient(t.url);
    const ticket = await go();
    assert.equal((await thief.call('POST', '/api/sign-in/code', { ticket, code: '000000' })).status, 401);
    assert.equal((await thief.call('GET', '/api/session')).status, 401);
    t.clock.advance({ minutes: 1 });
    const right = await thief.call('POST', '/api/sign-in/code', { ticket, code: await code() });
    assert.deepEqual(right.body, { signed_in: true });
    const { sessions } = (await thief.call('GET', '/api/account')).body;
    assert.equal(sessions.find(({ current }: { current: boolean }) => current).method, 'link');
    const another = await go();
    await grace.call('DELETE', '/api/account/sessions');
    t.clock.advance({ minutes: 1 });
    const late = await dashboardClient(t.url).call('POST', '/api/sign-in/code', {
      ticket: another,
      code: await code(),
    });
    assert.equal(late.status, 410);
  });

  let passkeys = 0;
  /** Gives a person a passkey, and returns its id. */
  async function withPasskey(person: string): Promise<string> {
    const id = `passkey_${String(passkeys++).padStart(26, '0')}`;
    await t.db
      .insertInto('passkeys')
      .values({
        ...{
          id,
          organization_id: t.acme.id,
          user_id: t.acme.users[person] ?? '',
          counter: 0,
          transports: [],
        },
        ...{ credential_id: Buffer.alloc(32, passkeys), public_key: Buffer.alloc(32, 2) },
        ...{ name: 'Phone', created_at: await t.clock.now(t.db) },
      })
      .execute();
    return id;
  }

  const requireTwoFactor = (requires_two_factor: boolean) =>
    t.db.updateTable('organizations').set({ requires_two_factor }).where('id', '=', t.acme.id).execute();

  it('that is the last one stays, even if two are removed at the same time', async () => {
    await requireTwoFactor(true);
    const { client: joan } = await withCodes('joan');
    const passkey = await withPasskey('joan');
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
      return rows[0]?.count;
    };
    const removals = await t.db.transaction().execute(async (tx) => {
      await sql`select from passkeys where id = ${passkey} for update`.execute(tx);
      await sql`select from one_time_codes where user_id = ${t.acme.users.joan} for update`.execute(tx);
      const asked = [
        joan.call('DELETE', `/api/account/passkeys/${passkey}`),
        joan.call('DELETE', '/api/account/codes'),
      ];
      await eventually(waiting, 2);
      return { asked };
    });
    const statuses = (await Promise.all(removals.asked)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 409]);
    await requireTwoFactor(false);
  });

  it('no longer receives what a dashboard shows once everybody needs a second factor', async () => {
    const { cookie } = await signIn(t, 'linus');
    const grace = await signIn(t, 'grace');
    await withPasskey('grace');
    const streams = await Promise.all(
      [cookie, grace.cookie].map((one) => eventStream(`${t.url}/api/events`, { cookie: one })),
    );
    for (const stream of streams) await stream.next('hello');
    await requireTwoFactor(true);
    await streams[0]?.ended;
    // Grace has a second factor.
    const page = { recipient: 'grace@example.com', title: 'Disk full', text: 'On db-1.' };
    assert.equal((await t.post('/page/person', page)).status, 200);
    const settled = t.settle();
    assert.equal((await streams[1]?.next('notification'))?.data.title, 'Disk full');
    streams[1]?.close();
    await settled;
    await requireTwoFactor(false);
  });

  it('by link does not replace a passkey, which only the operator can waive', async () => {
    await withPasskey('mary');
    const url = await signInLink(t, 'mary');
    assert.match(await (await fetch(url)).text(), /Sign in with your passkey/);
    assert.equal((await follow(url)).status, 403);
    assert.equal((await follow(await signInLink(t, 'mary', { withoutSecondFactor: true }))).status, 303);
  });

  it('by link leads only to the set-up of a second factor if everybody needs one', async () => {
    await requireTwoFactor(true);
    const alan = await client('alan');
    assert.equal((await alan.call('GET', '/api/pages')).status, 403);
    assert.equal((await alan.call('POST', '/api/keys', { name: 'k' })).status, 403);
    assert.equal((await alan.call('GET', '/api/account')).status, 200);
    await requireTwoFactor(false);
    await eventually(async () => (await alan.call('GET', '/api/pages')).status, 200);
  });

  it('could be created by every key before, and by none of them now', async () => {
    const key = t.acme.key;
    assert.equal((await t.get('/api/session', key)).status, 200);
    // As the previous release left it.
    await t.db.updateTable('api_keys').set({ full_access: false }).execute();
    await eventually(async () => (await t.get('/api/session', key)).status, 403);
    assert.equal((await t.get('/schedules', key)).status, 200);
  });
});
