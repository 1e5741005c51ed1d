import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FakeSlack, fakeSlack } from '../testing/fakes/fake-slack.ts';
import { type FakeSmtp, fakeSmtp } from '../testing/fakes/fake-smtp.ts';
import { type FakeTwilio, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { type Cluster, cluster } from '../testing/processes.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

type Provider = {
  name: string;
  channels: string[];
  set_by: string | null;
  values: Record<string, string>;
  secrets: string[];
  variables: string[];
  changed_at: string | null;
  changed_by: { email: string } | null;
};

/** Owners and admins set up providers in the dashboard, while the service runs. */
describe('providers that are set up in the dashboard', () => {
  let t: Story;
  let smtp: FakeSmtp;
  let twilio: FakeTwilio;
  let slack: FakeSlack;
  let ada: SignedIn;
  before(async () => {
    [smtp, twilio, slack] = await Promise.all([fakeSmtp(), fakeTwilio(), fakeSlack()]);
    t = await story({
      // Only the operator says where the API of a provider is.
      env: { TWILIO_API_URL: twilio.settings.apiUrl, SLACK_API_URL: slack.settings.apiUrl },
      organization: (receiver) => ({
        people: {
          ...webhookPeople(receiver, 'ada', 'grace'),
          alan: {
            methods: [
              { type: 'email', value: 'alan@example.com' },
              { type: 'phone', value: '+15005550009' },
              { type: 'chat', value: 'alan', chatUserId: 'U024BE7LH' },
            ],
          },
        },
        teams: { sre: { members: ['ada', 'alan'], schedules: [{ stages: [['alan']], backstop: 'ada' }] } },
      }),
    });
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    ada = await signIn(t, 'ada');
  });
  after(async () => {
    t.receiver.inbox.takeAll();
    await t.end();
    for (const fake of [smtp, twilio, slack]) await fake.stop();
  });

  const mailServer = () => {
    const url = new URL(smtp.url);
    return {
      ...{ host: url.hostname, port: url.port, encryption: 'if_offered', user: 'tocsin' },
      ...{ password: 'correct horse', from: smtp.settings.from },
    };
  };
  const phoneValues = () => ({
    account_sid: twilio.settings.accountSid,
    auth_token: twilio.settings.authToken,
    from: twilio.settings.from,
  });
  const list = async (): Promise<Provider[]> =>
    (await ada.call('GET', '/api/providers')).body.providers as Provider[];
  const find = async (name: string): Promise<Provider> => {
    const found = (await list()).find((one) => one.name === name);
    assert.ok(found);
    return found;
  };
  const unavailable = async (channel: string): Promise<string | null> => {
    const channels = (await ada.call('GET', '/api/channels')).body.channels as {
      channel: string;
      unavailable: string | null;
    }[];
    return channels.find((one) => one.channel === channel)?.unavailable ?? null;
  };
  const set = (name: string, values: Record<string, string>, check = true) =>
    ada.call('PUT', `/api/providers/${name}`, { values, check });
  const details = (answer: { body: unknown }) =>
    (answer.body as { details: { field: string; message: string }[] }).details;

  it('are none at first, and each names its channels', async () => {
    const { body } = await ada.call('GET', '/api/providers');
    assert.equal(body.locked, null);
    assert.equal(body.public_url, t.url);
    assert.deepEqual(
      (await list()).map(({ name, channels, set_by }) => [name, channels, set_by]),
      [
        ['smtp', ['email'], null],
        ['twilio', ['sms', 'voice'], null],
        ['slack', ['chat'], null],
      ],
    );
  });

  it('are refused if the provider refuses them, and nothing is stored', async () => {
    const wrong = await set('smtp', { ...mailServer(), password: 'wrong' });
    assert.equal(wrong.status, 400);
    assert.deepEqual(details(wrong), [
      { field: 'provider', message: 'The mail server answered: 535 this is what the script says.' },
    ]);
    assert.throws(() => smtp.assertNothingUnexpected(), /a wrong password/);
    assert.equal((await find('smtp')).set_by, null);
    assert.match((await unavailable('email')) ?? '', /^Email is not set up/);
  });

  it('are refused with a sentence at each field', async () => {
    const empty = await set('smtp', { host: 'not a host', port: '70000', password: 'x', from: 'nobody' });
    assert.deepEqual(
      details(empty).map(({ field }) => field),
      ['values.host', 'values.port', 'values.user', 'values.from'],
    );
    assert.deepEqual(details(await set('twilio', { from: '1', extra: '' })), [
      {
        field: 'values.extra',
        message: 'values.extra is not a field of this provider; use account_sid, auth_token, from.',
      },
    ]);
    assert.deepEqual(details(await set('twilio', { account_sid: 'AC1', auth_token: 'x', from: '1' })), [
      {
        field: 'values.account_sid',
        message:
          'values.account_sid is not an account SID; copy the text of 34 characters that starts with AC.',
      },
      {
        field: 'values.from',
        message: 'values.from is neither a phone number such as +15005550006 nor a messaging service (MG…).',
      },
    ]);
    assert.deepEqual(details(await set('slack', {})), [
      { field: 'values.bot_token', message: 'values.bot_token is missing; enter it.' },
      { field: 'values.signing_secret', message: 'values.signing_secret is missing; enter it.' },
    ]);
    assert.deepEqual(details(await set('smtp', { ...mailServer(), encryption: 'rot13' })), [
      { field: 'values.encryption', message: 'values.encryption is not one of tls, starttls, if_offered.' },
    ]);
    assert.equal((await set('pigeon', {})).status, 404);
    assert.equal((await set('smtp', { ...mailServer(), password: 'x'.repeat(501) })).status, 400);
  });

  it('send the next page without a restart, and show everything but the secrets', async () => {
    const answer = await set('smtp', mailServer());
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { password: _, ...shown } = mailServer();
    const stored = await find('smtp');
    assert.deepEqual(stored.values, shown);
    assert.deepEqual(stored.secrets, ['password']);
    assert.deepEqual([stored.set_by, stored.changed_by?.email], ['dashboard', 'ada@example.com']);
    assert.equal(await unavailable('email'), null);
    await t.page('team', 'sre', { title: 'Disk full' });
    await t.settle();
    assert.deepEqual((await smtp.messages.next()).envelope.to, ['alan@example.com']);
  });

  it('keep a secret that is left out, unless it would be sent elsewhere', async () => {
    const { password: _, ...others } = mailServer();
    assert.equal((await set('smtp', { ...others, from: 'Pager <pager@tocsin.example>' })).status, 200);
    await t.page('team', 'sre', { title: 'Disk full again' });
    await t.settle();
    assert.equal((await smtp.messages.next()).envelope.from, 'pager@tocsin.example');
    for (const moved of [{ host: 'localhost' }, { port: '2525' }, { user: 'eve' }, { encryption: 'tls' }])
      assert.match(
        details(await set('smtp', { ...others, ...moved }, false))[0]?.message ?? '',
        /^values.password has to be entered again, because you changed: /,
      );
    assert.equal((await find('smtp')).values.host, others.host);
  });

  it('lose a stored password together with the user name that it belongs to', async () => {
    const { password: _, ...others } = mailServer();
    assert.equal((await set('smtp', { ...others, user: '' }, false)).status, 200);
    const { values, secrets } = await find('smtp');
    assert.deepEqual([values.user, secrets], [undefined, []]);
    assert.equal((await set('smtp', mailServer())).status, 200);
  });

  it('can be checked again, and stored although the provider cannot be reached', async () => {
    assert.deepEqual((await ada.call('POST', '/api/providers/smtp/check')).body, {
      ...{ works: true, error: null, fix: null },
    });
    const gone = await set('smtp', { ...mailServer(), port: '9' });
    assert.deepEqual(
      details(gone).map(({ field }) => field),
      ['provider'],
    );
    assert.equal((await set('smtp', { ...mailServer(), port: '9' }, false)).status, 200);
    const check = (await ada.call('POST', '/api/providers/smtp/check')).body;
    assert.equal(check.works, false);
    assert.match(String(check.fix), /^The mail server does not answer/);
    assert.equal((await ada.call('POST', '/api/providers/slack/check')).status, 409);
    assert.equal((await set('smtp', mailServer())).status, 200);
  });

  it('let people answer by SMS and in Slack, with the signatures of the stored secrets', async () => {
    assert.equal((await set('twilio', phoneValues())).status, 200);
    const slackValues = {
      bot_token: slack.settings.botToken,
      signing_secret: slack.settings.signingSecret,
    };
    assert.equal((await set('slack', slackValues)).status, 200);
    twilio.reachAt(t.url);
    slack.reachAt(t.url);
    await t.page('team', 'sre', { title: 'Database down', urgency: 'high' });
    await t.settle();
    await smtp.messages.next();
    const chat = await slack.messages.next();
    await twilio.messages.next();
    assert.equal((await slack.click(chat, 'acknowledge')).status, 200);
    await slack.replaced.next();
    const forged = await fetch(`${t.url}/callbacks/twilio/sms`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'forged' },
      body: 'Body=ACK',
    });
    assert.equal(forged.status, 403);
  });

  it('name a number that the account does not have, and a token without permission', async () => {
    const other = await set('twilio', { ...phoneValues(), from: '+15005550007' });
    assert.deepEqual(details(other), [
      { field: 'provider', message: '+15005550007 is not a number of this Twilio account.' },
    ]);
    slack.scopes = 'users:read';
    const slackValues = {
      bot_token: slack.settings.botToken,
      signing_secret: slack.settings.signingSecret,
    };
    assert.deepEqual(details(await set('slack', slackValues)), [
      { field: 'provider', message: 'The token has no permission to send messages.' },
    ]);
    slack.scopes = 'chat:write';
  });

  it('are in the audit log, without any secret', async () => {
    const { entries } = (await ada.call('GET', '/api/audit?action=provider.set')).body as {
      entries: { subject: string; data: Record<string, unknown> }[];
    };
    assert.deepEqual(entries[0]?.data, { fields: ['bot_token', 'signing_secret'], checked: true });
    for (const secret of ['correct horse', twilio.settings.authToken, slack.settings.botToken])
      assert.ok(!JSON.stringify(entries).includes(secret));
  });

  it('are only for owners and admins', async () => {
    const grace = await signIn(t, 'grace');
    for (const [method, path] of [
      ['GET', '/api/providers'],
      ['PUT', '/api/providers/smtp'],
      ['POST', '/api/providers/smtp/check'],
      ['DELETE', '/api/providers/smtp'],
    ] as const)
      assert.equal(
        (await grace.call(method, path, method === 'PUT' ? { values: {} } : undefined)).status,
        403,
      );
  });

  it('survive a restart, and cannot be changed while several organizations share them', async () => {
    await t.restart({ seconds: 1 });
    ada = await signIn(t, 'ada');
    assert.equal((await find('smtp')).set_by, 'dashboard');
    assert.equal(await unavailable('voice'), null);
    await t.db
      .insertInto('organizations')
      .values({
        id: 'organization_other',
        name: 'Globex',
        time_zone: 'Europe/Berlin',
        created_at: t.clock.sql,
        updated_at: t.clock.sql,
      })
      .execute();
    const { body } = await ada.call('GET', '/api/providers');
    assert.match(String(body.locked), /^This service has several organizations/);
    assert.deepEqual((await find('smtp')).values, {});
    assert.equal((await set('smtp', mailServer())).status, 409);
    assert.equal((await ada.call('DELETE', '/api/providers/smtp')).status, 409);
    await t.db.deleteFrom('organizations').where('id', '=', 'organization_other').execute();
  });

  it('are not set up any more once they are removed', async () => {
    assert.equal((await ada.call('DELETE', '/api/providers/smtp')).status, 200);
    assert.equal((await ada.call('DELETE', '/api/providers/smtp')).status, 404);
    assert.match((await unavailable('email')) ?? '', /^Email is not set up/);
  });
});

it('a provider of the environment wins, and the dashboard shows its variables without changing it', async (test) => {
  const smtp = await fakeSmtp();
  test.after(() => smtp.stop());
  const t = await story({
    env: smtp.env,
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada'),
      teams: { sre: { members: ['ada'] } },
    }),
  });
  test.after(() => t.end());
  await t.db.updateTable('users').set({ role: 'admin' }).execute();
  const ada = await signIn(t, 'ada');
  const { providers } = (await ada.call('GET', '/api/providers')).body as { providers: Provider[] };
  const { port } = new URL(smtp.url);
  assert.deepEqual(providers[0], {
    ...{ name: 'smtp', channels: ['email'], set_by: 'environment' },
    values: { host: '127.0.0.1', encryption: 'if_offered', port, user: 'tocsin', from: smtp.settings.from },
    ...{ secrets: [], variables: ['SMTP_URL', 'SMTP_FROM'], changed_at: null, changed_by: null },
  });
  assert.equal((await ada.call('POST', '/api/providers/smtp/check')).body.works, true);
  const change = await ada.call('PUT', '/api/providers/smtp', { values: { host: 'smtp.example.com' } });
  assert.equal(change.status, 409);
  assert.match(JSON.stringify(change.body), /name is set up by SMTP_URL, SMTP_FROM in the environment/);
});

it('an operator can keep providers out of the dashboard', async (test) => {
  const t = await story({
    env: { DASHBOARD_PROVIDERS: 'false' },
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada'),
      teams: { sre: { members: ['ada'] } },
    }),
  });
  test.after(() => t.end());
  await t.db.updateTable('users').set({ role: 'owner' }).execute();
  const values = { host: 'smtp.example.com', from: 'tocsin@example.com' };
  await t.db
    .insertInto('providers')
    .values({ name: 'smtp', sealed: t.sealing.seal(JSON.stringify(values)), changed_at: t.clock.sql })
    .execute();
  await t.restart({ seconds: 1 });
  const ada = await signIn(t, 'ada');
  const { body } = await ada.call('GET', '/api/providers');
  assert.match(String(body.locked), /^DASHBOARD_PROVIDERS is false/);
  assert.equal(body.providers[0].set_by, null);
  assert.equal((await ada.call('PUT', '/api/providers/smtp', { values })).status, 409);
});

it('a mail server in the network of the service is refused, unless the operator allows private addresses', async (test) => {
  const t = await story({
    env: { ALLOW_PRIVATE_WEBHOOKS: 'false' },
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada'),
      teams: { sre: { members: ['ada'] } },
    }),
  });
  test.after(() => t.end());
  await t.db.updateTable('users').set({ role: 'owner' }).execute();
  const ada = await signIn(t, 'ada');
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '::1', '169.254.169.254']) {
    const values = { host, port: '25', encryption: 'if_offered', from: 'tocsin@example.com' };
    const answer = await ada.call('PUT', '/api/providers/smtp', { values });
    assert.equal(answer.status, 400, host);
    assert.match(answer.body.details[0].message, /is not on the public internet/, host);
    // What is stored without a check is refused when it is used.
    assert.equal((await ada.call('PUT', '/api/providers/smtp', { values, check: false })).status, 200);
    const check = await ada.call('POST', '/api/providers/smtp/check');
    assert.match(check.body.error, /is not on the public internet/, host);
  }
});

/** One process answers the dashboard, another one sends. */
it('a provider is used by all processes at once', async (test) => {
  const smtp = await fakeSmtp();
  test.after(() => smtp.stop());
  const t: Cluster = await cluster({
    people: { ada: {}, alan: { methods: [{ type: 'email', value: 'alan@example.com' }] } },
    teams: { sre: { members: ['ada'] } },
  });
  test.after(() => t.stop());
  const [, api] = await Promise.all([t.start({ role: 'worker' }), t.start({ role: 'api' })]);
  await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
  const ada = await signIn({ ...t, url: api.url }, 'ada');
  const { hostname: host, port } = new URL(smtp.url);
  const values = {
    ...{ host, port, encryption: 'if_offered', user: 'tocsin', password: 'correct horse' },
    from: smtp.settings.from,
  };
  assert.equal((await ada.call('PUT', '/api/providers/smtp', { values })).status, 200);
  const page = await fetch(`${api.url}/page/person`, {
    method: 'POST',
    headers: { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ recipient: 'alan@example.com', title: 'Disk full', text: 'db-1' }),
  });
  assert.equal(page.status, 200, await page.text());
  assert.deepEqual((await smtp.messages.next()).envelope.to, ['alan@example.com']);
});
