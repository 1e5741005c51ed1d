import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser } from '../src/people/new-user.ts';
import { dashboardClient } from '../testing/dashboard-client.ts';
import { eventually } from '../testing/eventually.ts';
import { fakeSmtp } from '../testing/fakes/fake-smtp.ts';
import { seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const PERSON = { name: 'Joan Clarke', time_zone: 'Europe/London', password: 'correct horse battery' };

describe('inviting people', () => {
  let t: Story;
  let owner: SignedIn;
  let admin: SignedIn;
  let manager: SignedIn;
  let member: SignedIn;

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, grace: {}, alan: {}, linus: {}, edsger: {} },
        teams: { sre: { members: ['alan', 'linus'] }, data: { members: ['ada'] } },
      },
    });
    const role = (person: string, given: 'owner' | 'admin') =>
      t.db
        .updateTable('users')
        .set({ role: given })
        .where('id', '=', t.acme.users[person] ?? '')
        .execute();
    await role('ada', 'owner');
    await role('grace', 'admin');
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', t.acme.users.alan ?? '')
      .execute();
    [owner, admin, manager, member] = await Promise.all([
      signIn(t, 'ada'),
      signIn(t, 'grace'),
      signIn(t, 'alan'),
      signIn(t, 'linus'),
    ]);
  });
  after(() => t.end());

  const invite = (who: SignedIn, body: object) =>
    who.call('POST', '/api/invitations', { in_person: true, ...body });
  const tokenOf = (url: string) => new URL(url).hash.slice(1);
  const accept = (url: string, more: object = {}) =>
    dashboardClient(t.url).call('POST', '/api/sign-in/invitation/accept', {
      token: tokenOf(url),
      ...PERSON,
      ...more,
    });

  it('makes an account with role and teams, by a link that works once', async () => {
    const { sre } = t.acme.teams;
    const made = await invite(owner, { email: 'Joan@example.com', role: 'admin', teams: [sre] });
    assert.equal(made.status, 201);
    assert.equal(made.body.emailed, false);
    assert.ok(made.body.url.startsWith(`${t.url}/invitation#`));
    const greeting = await dashboardClient(t.url).call('POST', '/api/sign-in/invitation', {
      token: tokenOf(made.body.url),
    });
    assert.deepEqual(greeting.body, {
      ...{
        organization: 'Acme',
        email: 'Joan@example.com',
        name: '',
        role: 'admin',
        teams: ['SRE'],
        invited_by: 'Ada',
      },
    });
    const weak = await accept(made.body.url, { password: 'joan@example.com' });
    assert.deepEqual([weak.status, weak.body.details[0].field], [400, 'password']);
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(made.body.url)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 410, 410, 410, 410]);
    const joan = dashboardClient(t.url);
    await joan.call('POST', '/api/sign-in/password', {
      email: 'joan@example.com',
      password: PERSON.password,
    });
    const { body } = await joan.call('GET', '/api/session');
    assert.deepEqual(
      [
        body.user.name,
        body.user.role,
        body.user.time_zone,
        body.teams.map(({ slug }: { slug: string }) => slug),
      ],
      ['Joan Clarke', 'admin', 'Europe/London', ['sre']],
    );
    const methods = (await joan.call('GET', '/api/contact-methods')).body.contact_methods;
    assert.equal(methods[0].verified, false, 'a copied link does not show whose the address is');
  });

  it('keeps the language in which the dashboard greeted them, unless it is that of the organization', async () => {
    for (const [name, language, kept] of [
      ['yuki', 'ja', 'ja'],
      ['mary', 'en', null],
    ]) {
      const email = `${name}@example.com`;
      const made = await invite(owner, { email, role: 'member', teams: [] });
      assert.equal((await accept(made.body.url, { language })).status, 200);
      const person = await t.db
        .selectFrom('users')
        .select('language')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      assert.equal(person.language, kept);
    }
  });

  it('lets people grant what they have, and managers invite into their teams', async () => {
    const { sre, data } = t.acme.teams;
    const expected: [SignedIn, object, number][] = [
      [admin, { email: 'a@example.com', role: 'admin', teams: [data] }, 201],
      [admin, { email: 'b@example.com', role: 'owner' }, 400],
      [manager, { email: 'c@example.com', role: 'member', teams: [sre] }, 201],
      [manager, { email: 'd@example.com', role: 'member', teams: [data] }, 400],
      [manager, { email: 'e@example.com', role: 'member' }, 400],
      [manager, { email: 'f@example.com', role: 'admin', teams: [sre] }, 400],
      [member, { email: 'g@example.com', role: 'member', teams: [sre] }, 403],
      [owner, { email: 'not an address', role: 'member', teams: ['team_x'] }, 400],
      [owner, { email: 'LINUS@example.com', role: 'member' }, 409],
    ];
    for (const [who, body, status] of expected)
      assert.equal((await invite(who, body)).status, status, JSON.stringify(body));
    const list = (await manager.call('GET', '/api/invitations')).body;
    assert.deepEqual(
      [list.roles, list.teams.map(({ slug }: { slug: string }) => slug)],
      [['member'], ['sre']],
    );
    const own = list.invitations.map(({ email, may_manage }: Record<string, unknown>) => [email, may_manage]);
    assert.deepEqual(own, [
      ['c@example.com', true],
      ['a@example.com', false],
    ]);
    const [, other] = list.invitations;
    assert.equal(
      (await manager.call('POST', `/api/invitations/${other.id}/link`, { in_person: true })).status,
      403,
    );
    assert.deepEqual((await member.call('GET', '/api/invitations')).body.invitations, []);
  });

  it('copies the link again, revokes it, and lets it expire', async () => {
    const { body: made } = await invite(owner, { email: 'h@example.com' });
    assert.equal(
      (await owner.call('POST', `/api/invitations/${made.id}/link`)).status,
      400,
      'without their word',
    );
    const again = await owner.call('POST', `/api/invitations/${made.id}/link`, { in_person: true });
    assert.equal(again.body.url, made.url);
    const { body: newer } = await invite(owner, { email: 'H@example.com' });
    assert.equal((await accept(made.url)).status, 410, 'a new one takes its place');
    assert.equal((await owner.call('DELETE', `/api/invitations/${newer.id}`)).body.revoked, true);
    assert.equal((await accept(newer.url)).status, 410);
    assert.equal((await owner.call('DELETE', `/api/invitations/${newer.id}`)).status, 404);
    const { body: last } = await invite(owner, { email: 'i@example.com' });
    t.clock.advance({ hours: 7 * 24 });
    assert.equal((await accept(last.url)).status, 410);
    t.clock.advance({ hours: -7 * 24 });
    assert.equal((await accept('http://x/#nonsense')).status, 410);
  });

  it('lets admins create links for people who cannot sign in, and notifies them', async () => {
    const id = (person: string) => t.acme.users[person];
    const link = (who: SignedIn, person: string) =>
      who.call('POST', `/api/people/${id(person)}/sign-in-link`);
    assert.equal((await link(member, 'alan')).status, 403);
    assert.equal((await link(manager, 'linus')).status, 403);
    assert.equal((await link(admin, 'ada')).status, 403);
    const made = await link(admin, 'edsger');
    assert.equal(made.status, 200);
    const used = await fetch(made.body.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(used.status, 303);
    const told = await t.db
      .selectFrom('notices')
      .select('kind')
      .where('user_id', '=', id('edsger') ?? '')
      .execute();
    assert.deepEqual(told, [{ kind: 'sign_in_link.made' }]);
    const others = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
    const eve = await signIn({ ...t, acme: others }, 'eve');
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', others.users.eve ?? '')
      .execute();
    assert.equal((await link(eve, 'edsger')).status, 404);
  });

  it('is valid only for its role, address and inviter', async () => {
    const { sre } = t.acme.teams;
    const { body: bare } = await invite(owner, { email: 'bare@example.com' });
    const token = tokenOf(bare.url).split('.')[0];
    assert.equal((await accept(bare.url, { token })).status, 410, 'the token alone proves nothing');

    // A manager invites a person whom the operator then makes an owner.
    const { body: boss } = await invite(manager, { email: 'boss@example.com', teams: [sre] });
    const at = await t.clock.now(t.db);
    await t.db.transaction().execute((tx) =>
      addUser(tx, at, t.acme.id, {
        ...{ email: 'Boss@example.com', name: 'Boss', role: 'owner', timeZone: 'UTC', emailVerified: true },
      }),
    );
    assert.equal((await accept(boss.url)).status, 410);
    const ways = await t.db
      .selectFrom('passwords')
      .innerJoin('users', 'id', 'user_id')
      .select('email')
      .execute();
    assert.ok(!ways.some(({ email }) => email === 'Boss@example.com'));

    // Once the inviter loses the team, the invitation is void.
    const { body: late } = await invite(manager, { email: 'late@example.com', teams: [sre] });
    await t.db.updateTable('team_members').set({ role: 'member' }).where('role', '=', 'manager').execute();
    assert.equal((await accept(late.url)).status, 410);
    const { body: good } = await invite(owner, { email: 'late@example.com', teams: [sre] });
    assert.equal((await accept(good.url)).status, 200);
  });
});

describe('inviting by email', () => {
  it('sends the link; using it proves the address', async () => {
    const smtp = await fakeSmtp();
    const t = await story({
      organization: { people: { ada: {} } },
      env: smtp.env,
    });
    try {
      await t.db.updateTable('users').set({ role: 'owner' }).execute();
      const ada = await signIn(t, 'ada');
      const { body } = await ada.call('POST', '/api/invitations', { email: 'joan@example.com' });
      assert.deepEqual([body.emailed, body.url], [true, null], 'the mailbox is the proof');
      await t.app.duties.runAll();
      const mail = await smtp.messages.expect((received) =>
        received.envelope.to.includes('joan@example.com'),
      );
      const link = /http:\S+\/invitation#[\w.-]+/.exec(mail.text)?.[0] ?? '';
      const joan = dashboardClient(t.url);
      const token = new URL(link).hash.slice(1);
      await joan.call('POST', '/api/sign-in/invitation/accept', { token, ...PERSON });
      const methods = (await joan.call('GET', '/api/contact-methods')).body.contact_methods;
      assert.equal(methods[0].verified, true);
      const forgot = dashboardClient(t.url);
      await forgot.call('POST', '/api/sign-in/forgotten', { email: 'JOAN@example.com' });
      const nobody = await forgot.call('POST', '/api/sign-in/forgotten', { email: 'nobody@example.com' });
      assert.deepEqual(nobody.body, { sent: true });
      await t.app.duties.runAll();
      const reset = await smtp.messages.expect((received) => received.text.includes('/new-password#'));
      const resetToken = /new-password#([\w-]+)/.exec(reset.text)?.[1] ?? '';
      const change = { token: resetToken, password: 'another horse battery' };
      const weak = await forgot.call('POST', '/api/sign-in/new-password', { ...change, password: 'joan' });
      assert.equal(weak.status, 400);
      assert.deepEqual((await forgot.call('POST', '/api/sign-in/new-password', change)).body, {
        signed_in: true,
      });
      assert.equal((await forgot.call('POST', '/api/sign-in/new-password', change)).status, 410);
      await eventually(async () => (await joan.call('GET', '/api/session')).status, 401);
      assert.equal((await forgot.call('GET', '/api/session')).body.user.email, 'joan@example.com');
    } finally {
      await t.end();
      await smtp.stop();
    }
  });
});
