import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it, mock } from 'node:test';
import { generate } from 'otplib';
import { dashboardClient } from '../testing/dashboard-client.ts';
import { type SignedIn, signIn, signInLink } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Nothing listens there, so every provider fails and the failure is logged. */
const NOWHERE = '127.0.0.1:9';
const PROVIDERS = {
  SMTP_URL: `smtp://mailer:canary-smtp-password@${NOWHERE}`,
  SMTP_FROM: 'tocsin@example.com',
  TWILIO_ACCOUNT_SID: `AC${'a'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'canary-twilio-token-1234567890ab',
  TWILIO_FROM: '+15005550006',
  TWILIO_API_URL: `http://${NOWHERE}`,
  SLACK_BOT_TOKEN: 'xoxb-1234567890-canaryslacktoken',
  SLACK_SIGNING_SECRET: 'canary-slack-signing-secret-0000',
  SLACK_API_URL: `http://${NOWHERE}/api/`,
};
const PASSWORD = 'canary correct horse battery';

/** Uses everything that has a secret; afterwards no log, metric, list or error may contain one. */
describe('secrets', () => {
  let t: Story;
  let ada: SignedIn;
  let written = '';
  const secrets: Record<string, string> = { ...PROVIDERS, password: PASSWORD };
  /** People who manage a webhook or own a feed can read its address again, in one place each. */
  const shownAt: Record<string, RegExp> = {
    'token of a webhook': /^\/api\/webhooks(\/:id)?$/,
    'signing secret of a webhook': /^\/api\/webhooks\/:id$/,
    'address of a calendar': /^\/api\/calendars(\/:id)?$/,
  };
  const answers: { path: string; text: string }[] = [];

  before(async () => {
    for (const name of ['SMTP_FROM', 'TWILIO_ACCOUNT_SID', 'TWILIO_FROM', 'TWILIO_API_URL', 'SLACK_API_URL'])
      delete secrets[name];
    secrets.SMTP_URL = 'canary-smtp-password';
    mock.method(process.stderr, 'write', (line: string | Uint8Array) => {
      written += String(line);
      return true;
    });
    t = await story({
      env: { ...PROVIDERS, LOG_LEVEL: 'trace' },
      organization: (receiver) => ({
        people: {
          ...webhookPeople(receiver, 'ada', 'grace'),
          alan: {
            methods: [
              { type: 'phone', value: '+15005550009' },
              { type: 'email', value: 'alan@example.com' },
              { type: 'chat', value: 'alan', chatUserId: 'U024BE7LH' },
            ],
          },
        },
        teams: {
          sre: { members: ['ada', 'alan'], schedules: [{ stages: [['ada', 'alan']], backstop: 'grace' }] },
        },
      }),
    });
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    secrets.apiKey = t.acme.key;
    secrets.webhookSecret = t.acme.webhookSecret;
    const link = await signInLink(t, 'grace');
    secrets['sign-in link'] = link.split('/').at(-1) ?? '';
    await fetch(link);
    ada = await signIn(t, 'ada');
    secrets.session = ada.cookie.split('=')[1] ?? '';
  });
  after(async () => {
    mock.restoreAll();
    t.receiver.inbox.takeAll();
    await t.end();
  });

  async function made(
    name: string,
    method: string,
    path: string,
    body: unknown,
    field: string,
  ): Promise<string> {
    const answer = await ada.call(method, path, body);
    assert.ok(answer.status < 300, `${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
    secrets[name] = String(answer.body[field]);
    return secrets[name];
  }

  async function wrong(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<void> {
    const response = await fetch(t.url + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body && { body }),
    });
    answers.push({ path, text: response.status >= 400 ? await response.text() : '' });
    assert.ok(response.status < 500, `${path}: ${response.status}`);
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer', path);
  }

  it('are used, correctly and incorrectly', async () => {
    const json = { 'content-type': 'application/json' };
    const key = await made('key of the dashboard', 'POST', '/api/keys', { name: 'ci' }, 'key');
    await wrong('GET', `/schedules?key=${key}`, { authorization: `Bearer ${key}x` });
    await wrong('POST', '/page/team', { ...json, authorization: `Bearer ${key}` }, `{"${key}":`);
    const signing = `whsec_${Buffer.from('canary-signing-secret-of-24+').toString('base64')}`;
    secrets['signing secret of a webhook'] = signing;
    const url = await made(
      ...(['token of a webhook', 'POST', '/api/webhooks'] as const),
      { team: 'sre', name: 'w', type: 'custom', signing_secret: signing },
      'url',
    );
    const token = new URL(url).pathname.split('/')[2] ?? '';
    secrets['token of a webhook'] = token;
    await wrong('POST', `/moment/${token}`, json, '{"name":');
    await wrong('POST', `/moment/${token}/grafana`, json, '{}');
    await wrong('GET', `/moment/${token}`);
    const id = 'msg_1';
    const at = String(Math.floor((await t.clock.now(t.db)).epochMilliseconds / 1_000));
    const body = '{"name":"Disk","type":"alert"}';
    const mac = createHmac('sha256', Buffer.from(signing.slice(6), 'base64')).update(`${id}.${at}.${body}`);
    const signed = {
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': `v1,${mac.digest('base64')}`,
    };
    await wrong('POST', `/moment/${token}`, { ...json, ...signed }, body);
    const feed = await made(
      'address of a calendar',
      'POST',
      '/api/calendars',
      { kind: 'team', team: 'sre' },
      'url',
    );
    secrets['address of a calendar'] = new URL(feed).pathname.split('/').at(-1)?.slice(0, 43) ?? '';
    await fetch(feed);
    await wrong('POST', new URL(feed).pathname);
  });

  it('of people are set, mistyped and requested', async () => {
    assert.equal((await ada.call('POST', '/api/account/password', { password: PASSWORD })).status, 200);
    const begun = (await ada.call('POST', '/api/account/codes/begin')).body;
    secrets['secret of an authenticator'] = begun.secret;
    const epoch = Math.floor((await t.clock.now(t.db)).epochMilliseconds / 1_000);
    const code = await generate({ secret: begun.secret, epoch });
    const set = await ada.call('POST', '/api/account/codes', { token: begun.token, code });
    for (const [index, recovery] of (set.body.recovery_codes as string[]).entries())
      secrets[`recovery code ${index}`] = recovery;
    const client = dashboardClient(t.url);
    await client.call('POST', '/api/sign-in/password', {
      email: 'ada@example.com',
      password: `${PASSWORD}x`,
    });
    const ticket = await client.call('POST', '/api/sign-in/password', {
      email: 'ada@example.com',
      password: PASSWORD,
    });
    secrets.ticket = ticket.body.ticket;
    await client.call('POST', '/api/sign-in/code', { ticket: ticket.body.ticket, code: '000000' });
    await client.call('POST', '/api/sign-in/forgotten', { email: 'ada@example.com' });
    const invited = await ada.call('POST', '/api/invitations', { email: 'x@example.com', role: 'member' });
    assert.ok(invited.status < 300, JSON.stringify(invited.body));
    const invitation = await ada.call(
      'POST',
      `/api/invitations/${invited.body.id ?? invited.body.invitation?.id}/link`,
      { in_person: true },
    );
    // The mailed link and the one handed over hold the same token under different signatures.
    secrets.invitation = String(invitation.body.url).split('#')[1]?.split('.')[0] ?? '';
    assert.notEqual(secrets.invitation, '', JSON.stringify(invitation.body));
  });

  it('of links are sent with the page, and fail with every provider', async () => {
    await t.page('team', 'sre', { urgency: 'high' });
    const got = await t.notified('ada');
    const link = String(got[0]?.body.acknowledge_url);
    secrets['acknowledge link'] = link.split('/a/')[1] ?? '';
    await fetch(link);
    await wrong('POST', `/a/${secrets['acknowledge link']}x`);
    await t.advance({ minutes: 3 });
    await t.app.duties.runAll();
  });

  it('are in no line of the log, at any level', () => {
    assert.ok(written.length > 5_000, `${written.length} characters were written`);
    assert.ok(written.includes('"level":"debug"'));
    for (const [name, secret] of Object.entries(secrets)) {
      const at = written.indexOf(secret);
      assert.ok(at < 0, `${name}: ${written.slice(Math.max(0, at - 300), at + 100)}`);
    }
  });

  it('are in no error, figure, list, audit log, problem or table', async () => {
    answers.push({ path: '/metrics', text: await t.metrics() });
    const ids: Record<string, string> = {
      webhooks: '',
      calendars: '',
      pages: '',
      people: t.acme.users.ada ?? '',
    };
    for (const table of ['webhooks', 'pages'] as const)
      ids[table] = (await t.db.selectFrom(table).select('id').executeTakeFirstOrThrow()).id;
    ids.calendars = (await ada.call('GET', '/api/calendars')).body.feeds[0].id;
    let read = 0;
    for (const [path, methods] of t.app.base.routeTable) {
      if (!path.startsWith('/api/') || path === '/api/events' || !methods.has('GET')) continue;
      const url = path.replace(/\/([\w-]+)\/:\w+/g, (_, room: string) => `/${room}/${ids[room] ?? 'page_1'}`);
      const response = await fetch(t.url + url, { headers: { cookie: ada.cookie } });
      if (response.status === 200) read++;
      answers.push({ path, text: await response.text() });
    }
    assert.ok(read > 30, `${read} lists were read`);
    for (const { path, text } of answers)
      for (const [name, secret] of Object.entries(secrets))
        assert.ok(
          !text.includes(secret) || shownAt[name]?.test(path),
          `${path} tells ${name}: ${text.slice(0, 300)}`,
        );
  });

  it('are not readable in the database, except those that must be sent again', async () => {
    const tables = await t.db.introspection.getTables();
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await t.db
        .selectFrom(name as 'pages')
        .selectAll()
        .execute();
      const text = JSON.stringify(rows);
      for (const [what, secret] of Object.entries(secrets))
        if (text.includes(secret)) found.push(`${name}: ${what}`);
    }
    // The invitation, which holds its link, still waits for the mail server.
    assert.deepEqual(found, ['messages: invitation']);
  });
});
