import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { applyText } from '../testing/apply-text.ts';
import { commandLine } from '../testing/command-line.ts';
import { eventually } from '../testing/eventually.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/**
 * Mary is an owner until she loses the role or is disabled: nothing that she created before may let her, or anybody,
 * back in.
 */
describe('a person who is disabled or loses a role', () => {
  let t: Story;
  let ada: SignedIn;
  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'mary', 'grace', 'alan', 'joan', 'edith'),
        teams: { sre: { members: ['ada', 'grace'] } },
      }),
    });
    for (const [person, role] of [
      ['ada', 'owner'],
      ['mary', 'admin'],
      ['grace', 'admin'],
      ['joan', 'admin'],
      ['edith', 'admin'],
    ] as const)
      await t.db
        .updateTable('users')
        .set({ role })
        .where('id', '=', t.acme.users[person] ?? '')
        .execute();
    ada = await signIn(t, 'ada');
    await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'Grafana', type: 'custom' });
  });
  after(async () => {
    t.receiver.inbox.takeAll();
    await t.end();
  });

  /** Creates everything that can give access to others. */
  async function handOut(person: string) {
    const who = await signIn(t, person);
    const make = async (path: string, body: object = {}) => (await who.call('POST', path, body)).body;
    const { url: link } = await make(`/api/people/${t.acme.users.alan}/sign-in-link`);
    const { id: invitation } = await make('/api/invitations', {
      email: `by-${person}@example.com`,
      role: 'admin',
    });
    const { key } = await make('/api/keys', { name: 'k', full: true });
    const { url: feed } = await make('/api/calendars', { kind: 'person' });
    await t.page('person', `${person}@example.com`, { title: `For ${person}` });
    const webhook = await t.receiver.expect(({ body }) => body.title === `For ${person}`);
    return { who, link, invitation, key, feed, acknowledge: webhook.body.acknowledge_url };
  }

  async function assertEnded(made: Awaited<ReturnType<typeof handOut>>): Promise<void> {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    assert.equal((await fetch(made.link, { method: 'POST', redirect: 'manual', headers: form })).status, 410);
    const { invitations } = (await ada.call('GET', '/api/invitations')).body;
    assert.ok(!invitations.some(({ id }: { id: string }) => id === made.invitation));
    await eventually(async () => (await t.get('/schedules', made.key)).status, 401);
    await eventually(async () => (await made.who.call('GET', '/api/session')).status, 401);
    assert.equal((await fetch(made.feed)).status, 404);
    assert.equal((await fetch(made.acknowledge, { method: 'POST', headers: form })).status, 404);
  }

  async function assertTold(name: string): Promise<void> {
    const { notices } = (await ada.call('GET', '/api/notices')).body;
    const told = notices.find(({ subject }: { subject: string }) => subject.startsWith(name));
    assert.match(told?.subject ?? '', /rotate the secrets that they could read/);
    assert.match(told?.text ?? '', /Grafana \(SRE\)/);
  }

  it('in the dashboard, disabled, keeps no access, and the secrets that they knew are listed', async () => {
    const made = await handOut('mary');
    const { body, status } = await ada.call('POST', `/api/people/${t.acme.users.mary}/disable`);
    assert.equal(status, 200, JSON.stringify(body));
    const { invitations, sign_in_links, api_keys, calendar_feeds } = body.ended;
    assert.deepEqual([invitations, sign_in_links, api_keys, calendar_feeds], [1, 1, 1, 1]);
    assert.deepEqual(
      body.ended.to_rotate.map(({ name, team }: { name: string; team: string }) => [name, team]),
      [['Grafana', 'SRE']],
    );
    await assertEnded(made);
    await assertTold('Mary was disabled');
    await ada.call('POST', `/api/people/${t.acme.users.mary}/enable`);
    await assertEnded(made);
  });

  it('in the dashboard, with a lower role, keeps no access either', async () => {
    const made = await handOut('grace');
    const same = await ada.call('PATCH', `/api/people/${t.acme.users.grace}`, {
      name: 'Grace',
      role: 'admin',
    });
    assert.equal(same.body.ended, undefined);
    assert.equal((await t.get('/schedules', made.key)).status, 200);
    const { body } = await ada.call('PATCH', `/api/people/${t.acme.users.grace}`, { role: 'member' });
    assert.equal(body.ended.to_rotate_total, 1);
    await assertEnded(made);
    await assertTold('Grace is member now');
    const { entries } = (await ada.call('GET', '/api/audit')).body;
    assert.match(JSON.stringify(entries), /to_rotate/);
  });

  /** An operator's file with everybody except `without`, with these roles. */
  const fileOf = (roles: Record<string, string>, without = '') =>
    [
      'organization: { name: Acme, time_zone: UTC }',
      'users:',
      ...Object.keys(t.acme.users)
        .filter((name) => name !== without)
        .map((name) => `  - { email: ${name}@example.com, role: ${roles[name] ?? 'member'} }`),
      'teams: [ { name: SRE, slug: sre, members: [ada@example.com, grace@example.com] } ]',
    ].join('\n');
  const ROLES = { ada: 'owner', joan: 'admin', edith: 'admin' };

  it('cannot use a link that they made for somebody who has a higher role by now', async () => {
    const roleOf = async (person: string, role: string) => {
      const answer = await ada.call('PATCH', `/api/people/${t.acme.users[person]}`, { role });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    const follow = async (url: string) =>
      (
        await fetch(url, {
          method: 'POST',
          redirect: 'manual',
          headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
        })
      ).status;
    const joan = await signIn(t, 'joan');
    const link = async () =>
      (await joan.call('POST', `/api/people/${t.acme.users.alan}/sign-in-link`)).body.url as string;
    const first = await link();
    await roleOf('alan', 'owner');
    assert.equal(await follow(first), 410);
    await roleOf('alan', 'member');
    const second = await link();
    await applyText(t, 'organization: { name: Acme }\nusers: [ { email: alan@example.com, role: owner } ]\n');
    assert.equal(await follow(second), 410);
    await roleOf('alan', 'member');
  });

  it('by a file, with a lower role, keeps no access either', async () => {
    const made = await handOut('joan');
    await applyText(t, fileOf(ROLES));
    assert.equal((await t.get('/schedules', made.key)).status, 200);
    assert.equal((await fetch(made.feed)).status, 200);
    await applyText(t, fileOf({ ...ROLES, joan: 'member' }));
    await assertEnded(made);
    await assertTold('Joan is member now');
    await applyText(t, fileOf(ROLES));
    await assertEnded(made);
  });

  it('by a file that no longer names them, with --prune, keeps no access either', async () => {
    const made = await handOut('edith');
    await applyText(t, fileOf(ROLES, 'edith'));
    assert.equal((await t.get('/schedules', made.key)).status, 200);
    const { changes } = await applyText(t, fileOf(ROLES, 'edith'), true);
    assert.ok(
      changes.some((change) => /edith/.test(JSON.stringify(change))),
      JSON.stringify(changes),
    );
    await assertEnded(made);
    await assertTold('Edith was disabled');
  });

  it('hears of the link with which the operator makes them an owner', async () => {
    const cli = commandLine(t.app.config.databaseUrl);
    try {
      const { code, stderr } = await cli.run([
        ...['owner', 'create', '--email', 'alan@example.com', '--name', 'Alan'],
      ]);
      assert.equal(code, 0, stderr);
    } finally {
      cli.remove();
    }
    const alan = await signIn(t, 'alan');
    const { notices } = (await alan.call('GET', '/api/notices')).body;
    assert.match(notices[0].text, /^An operator of this service created a one-time link/);
  });
});
