import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { addUser } from '../src/people/new-user.ts';
import { dashboardClient } from '../testing/dashboard-client.ts';
import { eventually } from '../testing/eventually.ts';
import { type FakeOidc, fakeOidc } from '../testing/fakes/fake-oidc.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

describe('signing in by the organization’s identity provider', () => {
  let t: Story;
  let provider: FakeOidc;

  before(async () => {
    provider = await fakeOidc();
    t = await story({
      env: { ...provider.env, OIDC_EMAIL_DOMAINS: 'example.com', LOG_LEVEL: 'silent' },
      organization: { people: { ada: {}, grace: {} }, teams: { sre: { members: ['ada'] } } },
    });
  });
  beforeEach(() => {
    provider.fault = null;
  });
  after(async () => {
    await t.end();
    await provider.stop();
  });

  const ada = { sub: '1', email: 'Ada@example.com', email_verified: true, name: 'Ada L.' };

  /** Follows the redirects as a browser does; returns the last address and the cookies. */
  async function roundTrip(change: (back: URL) => void = () => undefined, forget = false) {
    const begun = await fetch(`${t.url}/oidc/start`, { redirect: 'manual' });
    const left = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const asked = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
    const back = new URL(asked.headers.get('location') ?? '');
    change(back);
    const cookie = forget ? '' : left;
    const done = await fetch(back, { redirect: 'manual', headers: { cookie } });
    const session = done.headers.getSetCookie().find((line) => /^tocsin=./.test(line));
    return { ends: done.headers.get('location'), session: session?.split(';')[0] ?? null, back, cookie };
  }

  const whoIs = async (cookie: string | null) =>
    (
      (await (await fetch(`${t.url}/api/session`, { headers: { cookie: cookie ?? '' } })).json()) as {
        user?: { email: string };
      }
    ).user?.email;

  it('recognizes people by their verified address, and later by their identity there', async () => {
    provider.claims = ada;
    const first = await roundTrip();
    assert.equal(first.ends, '/');
    assert.equal(await whoIs(first.session), 'ada@example.com');
    provider.claims = { ...ada, email: 'ada.king@example.com' };
    assert.equal(await whoIs((await roundTrip()).session), 'ada@example.com');
  });

  it('lets in people who are invited, with their role and teams', async () => {
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.grace ?? '')
      .execute();
    const grace = await signIn(t, 'grace');
    await grace.call('POST', '/api/invitations', { email: 'joan@example.com', teams: [t.acme.teams.sre] });
    provider.claims = { sub: '2', email: 'joan@example.com', email_verified: true, name: 'Joan Clarke' };
    const { session } = await roundTrip();
    assert.equal(await whoIs(session), 'joan@example.com');
    assert.deepEqual((await grace.call('GET', '/api/invitations')).body.invitations, []);
  });

  it('refuses everybody else with the reason', async () => {
    for (const [claims, why] of [
      [{ sub: '3', email: 'nobody@example.com', email_verified: true }, 'unknown'],
      [{ sub: '4', email: 'grace@example.com', email_verified: false }, 'unverified'],
      [{ sub: '4', email: 'grace@example.com', email_verified: 'true' }, 'unverified'],
      [{ sub: '5', email: 'ada@evil.example', email_verified: true }, 'domain'],
      [{ sub: '6' }, 'unverified'],
    ] as const) {
      provider.claims = claims;
      const { ends, session } = await roundTrip();
      assert.deepEqual([ends, session], [`/?sign-in=${why}`, null]);
    }
  });

  it('accepts only signed answers of the provider, for the same browser, once', async () => {
    provider.claims = ada;
    const failed = { ends: '/?sign-in=failed', session: null };
    const result = async (...how: Parameters<typeof roundTrip>) => {
      const { ends, session } = await roundTrip(...how);
      return { ends, session };
    };
    assert.deepEqual(await result(undefined, true), failed, 'another browser');
    assert.deepEqual(await result((back) => back.searchParams.set('state', 'x')), failed, 'another state');
    assert.deepEqual(await result((back) => back.searchParams.set('code', 'x')), failed, 'another code');
    provider.fault = 'nonce';
    assert.deepEqual(await result(), failed);
    provider.fault = 'signature';
    assert.deepEqual(await result(), failed);
    provider.fault = null;
    const { back, cookie } = await roundTrip();
    const again = await fetch(back, { redirect: 'manual', headers: { cookie } });
    assert.equal(again.headers.get('location'), failed.ends);
  });

  it('accepts an answer once even if the provider accepts its code again, and only within 15 minutes', async () => {
    provider.claims = ada;
    provider.fault = 'kept code';
    const used = await roundTrip();
    assert.equal(used.ends, '/');
    const again = await fetch(used.back, { redirect: 'manual', headers: { cookie: used.cookie } });
    assert.equal(again.headers.get('location'), '/?sign-in=failed');
    const late = await roundTrip(() => t.clock.advance({ minutes: 15 }));
    assert.deepEqual([late.ends, late.session], ['/?sign-in=failed', null]);
  });

  it('stores nothing for sign-ins that strangers begin', async () => {
    const stored = async () => (await t.db.selectFrom('challenges').select('hash').execute()).length;
    const before = await stored();
    for (let stranger = 0; stranger < 40; stranger++)
      assert.equal((await fetch(`${t.url}/oidc/start`, { redirect: 'manual' })).status, 303);
    assert.equal(await stored(), before);
  });

  it('removes credentials from before the provider verified the address', async () => {
    const { id } = await t.db.transaction().execute(async (tx) =>
      addUser(tx, await t.clock.now(tx), t.acme.id, {
        ...{ email: 'mary@example.com', name: 'Mary', role: 'member', timeZone: 'UTC', emailVerified: false },
      }),
    );
    const thief = await signIn({ ...t, acme: { ...t.acme, users: { mary: id } } }, 'mary');
    await thief.call('POST', '/api/account/password', { password: 'correct horse battery' });
    const { key } = (await thief.call('POST', '/api/keys', { name: 'k' })).body;
    assert.equal((await t.get('/schedules', key)).status, 200);
    provider.claims = { sub: '20', email: 'mary@example.com', email_verified: true, name: 'Mary' };
    const { session } = await roundTrip();
    assert.equal(await whoIs(session), 'mary@example.com');
    const byPassword = await dashboardClient(t.url).call('POST', '/api/sign-in/password', {
      ...{ email: 'mary@example.com', password: 'correct horse battery' },
    });
    assert.equal(byPassword.status, 401);
    await eventually(async () => (await thief.call('GET', '/api/session')).status, 401);
    await eventually(async () => (await t.get('/schedules', key)).status, 401);

    // From now on, what is set up belongs to her account.
    const mary = dashboardClient(t.url, session ?? '');
    await mary.call('POST', '/api/account/password', { password: 'another horse battery' });
    assert.equal(await whoIs((await roundTrip()).session), 'mary@example.com');
    assert.equal((await mary.call('GET', '/api/account')).body.password, true);

    // Another person has the address at the provider now, so an admin has to decide.
    provider.claims = { sub: '21', email: 'mary@example.com', email_verified: true, name: 'Mary II' };
    const second = await roundTrip();
    assert.deepEqual([second.ends, second.session], ['/?sign-in=second', null]);
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.grace ?? '')
      .execute();
    const grace = await signIn(t, 'grace');
    assert.match(
      JSON.stringify((await grace.call('GET', '/api/problems')).body),
      /an earlier sign-in with this address had a different identity/,
    );
    assert.equal((await mary.call('DELETE', `/api/people/${id}/identity`)).status, 403);
    assert.deepEqual((await grace.call('DELETE', `/api/people/${id}/identity`)).body, { forgotten: 1 });
    assert.equal(await whoIs((await roundTrip()).session), 'mary@example.com');
    assert.doesNotMatch(
      JSON.stringify((await grace.call('GET', '/api/problems')).body.open ?? []),
      /earlier sign-in with this address/,
    );
  });

  it('refuses people who were disabled', async () => {
    provider.claims = ada;
    const users = t.db.updateTable('users').where('id', '=', t.acme.users.ada ?? '');
    await users.set({ disabled_at: await t.clock.now(t.db) }).execute();
    assert.equal((await roundTrip()).ends, '/?sign-in=unknown');
    await users.set({ disabled_at: null }).execute();
  });
});

/** The operator trusts the issuer, but not the addresses that it publishes. */
describe('an identity provider that names internal addresses', () => {
  for (const place of ['jwks_uri', 'token_endpoint', 'userinfo_endpoint'] as const)
    it(`is not followed there by ${place}, unless the operator allows it`, async () => {
      const asked: string[] = [];
      const inside = createServer((request, response) => {
        asked.push(request.url ?? '');
        response.writeHead(404).end();
      }).listen(0, '127.0.0.1');
      await once(inside, 'listening');
      const { port } = inside.address() as AddressInfo;
      for (const allowed of [false, true]) {
        const provider = await fakeOidc();
        provider.claims = { sub: '1', name: 'Ada', ...(place === 'userinfo_endpoint' ? {} : ADA) };
        provider.elsewhere = { [place]: `http://127.0.0.1:${port}/${allowed}` };
        const env = { ...provider.env, ALLOW_PRIVATE_WEBHOOKS: String(allowed), LOG_LEVEL: 'silent' };
        const t = await story({ env, organization: { people: { ada: {} } } });
        const begun = await fetch(`${t.url}/oidc/start`, { redirect: 'manual' });
        const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
        const there = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
        const back = there.headers.get('location') ?? '';
        const done = await fetch(back, { redirect: 'manual', headers: { cookie } });
        assert.equal(done.headers.get('location'), '/?sign-in=failed');
        await t.end();
        await provider.stop();
      }
      inside.close();
      assert.deepEqual([...new Set(asked)], ['/true']);
    });
});

const ADA = { email: 'ada@example.com', email_verified: true };
