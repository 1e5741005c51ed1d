import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../src/kit/typeid.ts';
import { SENDER_ROUTES } from '../src/people/rights.ts';
import { eventually } from '../testing/eventually.ts';
import { fakeOidc } from '../testing/fakes/fake-oidc.ts';
import { fakeSlack } from '../testing/fakes/fake-slack.ts';
import { fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { seedOrganization } from '../testing/organization.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Requires a key, and answers for the organization of that key alone. */
const BY_KEY = [
  'POST /page/team',
  'POST /page/person',
  'POST /page/acknowledge',
  'POST /page/resolve',
  'GET /request/:id/status',
  'GET /schedules',
  'GET /schedules/:id/oncalls',
];
/** Requires a key as well; `mcp.test.ts` checks what its tools answer to other organizations. */
const TOOLS = ['POST /mcp'];
/** The path contains the credential. */
const BY_TOKEN = [
  'GET /calendar/:file',
  'GET /a/:token',
  'POST /a/:token',
  'GET /sign-in/:token',
  'POST /sign-in/:token',
  'POST /moment/:token',
  'POST /moment/:token/:integration',
  'GET /heartbeat/:token',
  'POST /heartbeat/:token',
  'POST /page/:token',
  'POST /page/:token/:type',
];
/** The sender signs the body. */
const SIGNED = [
  'POST /callbacks/slack/actions',
  'POST /callbacks/twilio/status/:deliveryId',
  'POST /callbacks/twilio/sms',
  'POST /callbacks/twilio/voice/:deliveryId',
  'POST /callbacks/twilio/voice/:deliveryId/key',
];
/** Served by the other listener; this one only says where it is. */
const ELSEWHERE = '/availabilities/upload';
/** An unusual name, because scripts that everybody gets contain the usual ones. */
const NAME = 'Zuiderzee Alarm Works';

/**
 * Walks all routes outside of `/api/` by the table of routes. A route in none of the lists may only be read, by
 * everybody, and must reveal nothing about anybody.
 */
describe('every route of the public API, links and callbacks', () => {
  let t: Story;
  let others: { key: string };
  let stop: () => Promise<unknown>;
  let ids: Record<string, string>;
  let secrets: string[];

  before(async () => {
    const fakes = await Promise.all([fakeSlack(), fakeTwilio(), fakeOidc()]);
    stop = () => Promise.all(fakes.map((fake) => fake.stop()));
    t = await story({
      env: Object.assign({ LOG_LEVEL: 'silent' }, ...fakes.map(({ env }) => env)),
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'edsger', 'hedy'),
        teams: {
          sre: { members: ['edsger', 'hedy'], schedules: [{ stages: [['edsger']], backstop: 'hedy' }] },
        },
      }),
    });
    await t.db.updateTable('organizations').set({ name: NAME }).where('id', '=', t.acme.id).execute();
    ids = await everything();
    others = await seedOrganization(
      t,
      { people: { eve: {} }, teams: { evil: { members: ['eve'] } } },
      'Evil',
    );
    secrets = ['Edsger', 'Hedy', NAME, 'Disk full', t.acme.id, ...Object.values(t.acme.users)];
  });
  after(async () => {
    t.receiver.inbox.takeAll();
    await t.end();
    await stop();
  });

  /** Everything that paths may name, all of it Acme's. */
  async function everything(): Promise<Record<string, string>> {
    const request = await t.page('team', 'sre', { title: 'Disk full' });
    const { page } = await t.status(request);
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'edsger').execute();
    const edsger = await signIn(t, 'edsger');
    const webhook = await edsger.call('POST', '/api/webhooks', { team: 'sre', name: 'w', type: 'grafana' });
    assert.equal(webhook.status, 201, JSON.stringify(webhook.body));
    const { id } = await t.db.selectFrom('schedules').select('id').executeTakeFirstOrThrow();
    return {
      '/request/:id/status': request,
      '/schedules/:id/oncalls': id,
      '/schedules/:id': id,
      '/schedules/:id/edit': id,
      deliveryId: page.deliveries[0]?.id ?? '',
      token: new URL(webhook.body.url).pathname.split('/')[2] ?? '',
      integration: 'grafana',
    };
  }

  const routes = () =>
    [...t.app.base.routeTable]
      .filter(([path]) => (!path.startsWith('/api/') || path.startsWith('/api/v2/')) && path !== ELSEWHERE)
      .flatMap(([path, methods]) =>
        [...methods]
          .filter((method) => method !== 'HEAD')
          .map((method) => ({ method, path, name: `${method} ${path}` })),
      );
  const among = (names: readonly string[]) => routes().filter(({ name }) => names.includes(name));

  const aimed = (path: string) =>
    path
      .replace(/:(\w+)/g, (_, name: string) => ids[path] ?? ids[name] ?? newId('page'))
      .replace('*', ids['/request/:id/status'] ?? '');
  /** The same path for something that never existed. */
  const nobodys = (path: string) => path.replace(/_[0-9a-z]{26}/g, () => newId('page').slice('page'.length));

  async function ask(
    { method }: { method: string },
    path: string,
    headers: Record<string, string> = {},
    body: unknown = {},
  ): Promise<{ status: number; text: string }> {
    const response = await fetch(t.url + path, {
      method,
      redirect: 'manual',
      headers: { ...(method === 'GET' ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  function tellsNothing(what: string, text: string, ...asked: string[]): void {
    const told = asked.reduce((rest, word) => rest.replaceAll(word, ''), text);
    for (const secret of secrets)
      assert.ok(!new RegExp(`\\b${secret}\\b`).test(told), `${what} tells ${secret}: ${text.slice(0, 300)}`);
  }

  it('is in one of the lists, or only reads', () => {
    const known = [...BY_KEY, ...TOOLS, ...BY_TOKEN, ...SIGNED, ...SENDER_ROUTES];
    const names = routes().map(({ name }) => name);
    assert.deepEqual(
      known.filter((name) => !names.includes(name)),
      [],
    );
    const writing = routes().filter(({ method, name }) => method !== 'GET' && !known.includes(name));
    assert.deepEqual(
      writing.map(({ name }) => name),
      [],
    );
  });

  it('that requires a key answers 401 without one, and with a wrong one', async () => {
    for (const authorization of [undefined, 'Bearer', `Bearer tocsin_${'x'.repeat(32)}`, 'Basic eDp4'])
      for (const route of among([...BY_KEY, ...TOOLS])) {
        const { status, text } = await ask(route, aimed(route.path), authorization ? { authorization } : {});
        assert.equal(status, 401, `${route.name} ${authorization}`);
        tellsNothing(route.name, text);
      }
  });

  it('that requires a key does not reveal another organization’s objects', async () => {
    const authorization = `Bearer ${others.key}`;
    const before = await count();
    for (const route of among(BY_KEY)) {
      const path = aimed(route.path);
      for (const recipient of [
        'sre',
        t.acme.teams.sre,
        'edsger@example.com',
        t.acme.users.edsger,
        t.acme.id,
      ]) {
        const page = (to: string | undefined) => ({ recipient: to, title: 'x', text: 'x' });
        const [theirs, none] = [
          await ask(route, path, { authorization }, page(recipient)),
          await ask(route, nobodys(path), { authorization }, page('nobody')),
        ];
        const words = (text: string) =>
          text
            .replaceAll(recipient ?? '', 'nobody')
            .replaceAll(/[a-z]+_[0-9a-z]{26}/g, 'an id')
            .replaceAll(/\bteams?\b|\bperson\b|\bpeople\b/g, 'somebody');
        assert.deepEqual(
          { ...theirs, text: words(theirs.text) },
          { ...none, text: words(none.text) },
          route.name,
        );
        tellsNothing(route.name, theirs.text, recipient ?? '', path);
        if (route.method === 'POST') assert.equal(theirs.status, 400, route.name);
        if (route.path.includes(':')) assert.equal(theirs.status, 404, route.name);
      }
    }
    assert.equal(await count(), before);
  });

  it('of a link or webhook accepts only tokens that it created, and reveals nothing about others', async () => {
    const real = ids.token ?? '';
    for (const route of among(BY_TOKEN))
      for (const token of [
        `${real.slice(0, -1)}${real.endsWith('A') ? 'B' : 'A'}`,
        real.slice(0, -1),
        'x',
        '%00',
      ]) {
        const path = route.path.replace(/:token|:file/, token).replace(':integration', 'grafana');
        const { status, text } = await ask(route, path, { 'sec-fetch-site': 'same-origin' });
        // An expired link opens a page that says so and reveals nothing else.
        assert.ok(status >= 400 && status < 500, `${route.name} ${token}: ${status}`);
        tellsNothing(route.name, text);
      }
  });

  it('of another product accepts only keys of sources, and reveals nothing about others', async () => {
    const before = await count();
    for (const route of among(SENDER_ROUTES))
      for (const given of ['x', 'f'.repeat(32), others.key]) {
        const path = route.path
          .replace(/:token|:key/, given)
          .replace(/:\w+/g, 'x')
          .replace('*', 'x/close');
        const headers = { authorization: `GenieKey ${given}` };
        const body = { routing_key: given, service_key: given, event_action: 'resolve', dedup_key: 'x' };
        const { status, text } = await ask(route, `${path}?token=${given}`, headers, body);
        assert.ok(status >= 400 && status < 500, `${route.name} ${given}: ${status} ${text}`);
        tellsNothing(route.name, text);
      }
    assert.equal(await count(), before);
  });

  it('of a webhook does not accept another organization’s key', async () => {
    const moment = { name: 'Forged', type: 'Alert', description: 'x', priority: 'high' };
    const path = `/moment/${ids.token}`;
    const { status } = await ask({ method: 'POST' }, path, { authorization: `Bearer ${others.key}` }, moment);
    assert.ok([401, 403, 404].includes(status), String(status));
    assert.equal((await t.db.selectFrom('moments').select('id').execute()).length, 0);
  });

  it('that providers call requires their valid signature', async () => {
    const before = await count();
    const wrong = {
      'x-slack-signature': `v0=${'0'.repeat(64)}`,
      'x-slack-request-timestamp': String(Math.floor(Date.now() / 1_000)),
      'x-twilio-signature': Buffer.alloc(20).toString('base64'),
    };
    for (const headers of [{}, wrong])
      for (const route of among(SIGNED)) {
        const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
        const { status, text } = await ask(
          route,
          aimed(route.path),
          form,
          'Body=ack&From=%2B15005550006&Digits=1',
        );
        assert.ok(status === 401 || status === 403, `${route.name}: ${status} ${text}`);
        tellsNothing(route.name, text);
      }
    assert.equal(await count(), before);
  });

  it('that everybody may read is the same for everybody', async () => {
    const open = routes().filter(({ name }) => ![...BY_KEY, ...BY_TOKEN, ...SIGNED].includes(name));
    assert.ok(open.length > 40, String(open.length));
    await eventually(async () => (await fetch(`${t.url}/readyz`)).status, 200);
    for (const route of open) {
      if (route.path.startsWith('/assets/')) continue;
      const { status, text } = await ask(route, aimed(route.path));
      // A busy machine may be late for a moment.
      if (route.path === '/readyz') await eventually(async () => (await ask(route, route.path)).status, 200);
      else assert.ok(status < 500, `${route.name}: ${status}`);
      tellsNothing(route.name, text, aimed(route.path));
    }
  });

  it('for uploads finds nobody of another organization, and saves nothing for them', async () => {
    const file = 'email,start_time\nedsger@example.com,2026-12-24T08:00:00Z\n';
    const send = async (key: string, text: string) => {
      const response = await fetch(`${t.uploadUrl}${ELSEWHERE}?commit=save`, {
        method: 'POST',
        headers: { ...(key && { authorization: `Bearer ${key}` }) },
        body: new URLSearchParams({ file: text }),
      });
      return { status: response.status, text: await response.text() };
    };
    for (const key of ['', `tocsin_${'x'.repeat(32)}`]) assert.equal((await send(key, file)).status, 401);
    const theirs = await send(others.key, file);
    const nobody = await send(others.key, file.replace('edsger@', 'nobody@'));
    assert.deepEqual({ ...theirs, text: theirs.text.replaceAll('edsger@', 'nobody@') }, nobody);
    assert.equal((await t.db.selectFrom('availabilities').select('id').execute()).length, 0);
  });

  /** Everything that a stranger could have created, changed or ended here. */
  async function count(): Promise<string> {
    const rows: unknown[] = [];
    for (const table of ['pages', 'page_events', 'deliveries', 'moments', 'received_notifications'] as const)
      rows.push(
        await t.db
          .selectFrom(table)
          .selectAll()
          .where('organization_id', '=', t.acme.id)
          .orderBy('id')
          .execute(),
      );
    return JSON.stringify(rows);
  }
});
