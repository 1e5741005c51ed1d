import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { launchBrowser, openTab } from '../testing/browser.ts';
import { reachableElsewhere } from '../testing/elsewhere.ts';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** Sign-in is open to everybody, and so are the paths of another product; neither reveals anything about anybody. */
const OPEN = (path: string) => /^\/api\/(sign-in|v2\/)/.test(path);

/** Walks the table of routes, so that new routes are covered at once. */
describe('every route of the dashboard', () => {
  let t: Story;
  let elsewhere: Awaited<ReturnType<typeof reachableElsewhere>>;
  let eve: SignedIn;
  let secrets: string[];
  let ids: Record<string, string>;

  before(async () => {
    elsewhere = await reachableElsewhere();
    t = await story({
      organization: {
        people: {
          ada: {
            methods: [
              { type: 'phone', value: '+15005550006' },
              { type: 'webhook', value: elsewhere.url },
            ],
          },
          grace: {},
        },
        teams: {
          sre: {
            members: ['ada', 'grace'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'grace' }],
          },
        },
      },
    });
    ids = await everything();
    const others = await seedOrganization(
      t,
      { people: { eve: {} }, teams: { sre: { members: ['eve'] } } },
      'Evil',
    );
    await t.db.updateTable('users').set({ role: 'owner' }).where('organization_id', '=', others.id).execute();
    eve = await signIn({ ...t, acme: others satisfies Organization }, 'eve');
    secrets = [
      'Ada',
      'Grace',
      'Acme',
      'Disk full',
      '+15005550006',
      t.acme.id,
      ...Object.values(t.acme.users),
    ];
  });
  after(async () => {
    await t.end();
    elsewhere.close();
  });

  /** One of each thing that has an id, all of Acme's. */
  async function everything(): Promise<Record<string, string>> {
    const ada = await signIn(t, 'ada');
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    const { page } = await t.status(await t.page('team', 'sre'));
    const webhook = (await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'w', type: 'custom' }))
      .body;
    const token = String(webhook.url ?? webhook.webhook?.url)
      .split('/moment/')[1]
      ?.split('/')[0];
    await t.post(`/moment/${token}`, { name: 'Near miss', type: 'Near-miss', description: 'Disk full' });
    await t.settle();
    const first = async (
      table: 'schedules' | 'shifts' | 'moments' | 'received_notifications' | 'contact_methods',
    ) => (await t.db.selectFrom(table).select('id').executeTakeFirst())?.id ?? '';
    return {
      pages: page.id,
      deliveries: page.deliveries[0]?.id ?? '',
      webhooks: webhook.id ?? webhook.webhook?.id ?? '',
      teams: t.acme.teams.sre ?? '',
      people: t.acme.users.grace ?? '',
      users: t.acme.users.grace ?? '',
      members: t.acme.users.grace ?? '',
      schedules: await first('schedules'),
      shifts: await first('shifts'),
      moments: await first('moments'),
      notifications: await first('received_notifications'),
      'contact-methods': await first('contact_methods'),
    };
  }

  const routes = () =>
    [...t.app.base.routeTable]
      .filter(([path]) => path.startsWith('/api/') && !path.includes('*') && !OPEN(path))
      .flatMap(([path, methods]) =>
        [...methods].filter((method) => method !== 'HEAD').map((method) => ({ method, path })),
      );

  /** Replaces each parameter of a path by something of Acme's. */
  const aimed = (path: string) => {
    const parts = path.split('/');
    return parts
      .map((part, index) => (part.startsWith(':') ? (ids[parts[index - 1] ?? ''] ?? t.acme.users.ada) : part))
      .join('/');
  };

  it('exists and is tested', () => {
    assert.ok(routes().length > 40, `${routes().length}`);
  });

  it('answers 401 without credentials, with wrong ones, and with a session that never was', async () => {
    for (const headers of [
      {},
      { cookie: `tocsin=${'x'.repeat(43)}` },
      { authorization: `Bearer tocsin_${'x'.repeat(32)}` },
      { authorization: 'Basic eDp4' },
    ])
      for (const { method, path } of routes()) {
        const response = await fetch(t.url + aimed(path), {
          method,
          headers: { ...headers, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
          ...(method === 'GET' ? {} : { body: '{}' }),
        });
        const said = `${method} ${path} ${JSON.stringify(headers)}`;
        assert.equal(response.status, 401, said);
        assert.equal(Object.keys((await response.json()) as object).join(), 'error,details', said);
      }
  });

  it('accepts no change from a page of another site', async () => {
    for (const { method, path } of routes().filter((route) => route.method !== 'GET')) {
      const answer = await eve.call(method, aimed(path), {}, { 'sec-fetch-site': 'cross-site' });
      assert.equal(answer.status, 403, `${method} ${path}`);
      const form = { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' };
      assert.equal((await eve.call(method, aimed(path), {}, form)).status, 415, `${method} ${path}`);
    }
  });

  it('gives the owner of another organization nothing of this one', async () => {
    const before = await fingerprint();
    for (const { method, path } of routes()) {
      if (path === '/api/events' || (path === '/api/session' && method === 'DELETE')) continue;
      const { status, text } = await ask(method, aimed(path));
      const said = `${method} ${aimed(path)}: ${status} ${text.slice(0, 300)}`;
      assert.ok(status < 500, said);
      if (path.includes(':') && status < 400) {
        // The answer must equal the one about something that never existed.
        const nobodys = aimed(path).replace(/_[0-9a-z]{26}/g, `_${'0'.repeat(26)}`);
        assert.deepEqual(await ask(method, nobodys), { status, text }, said);
      }
      const echoed = text.replaceAll(aimed(path), '');
      for (const secret of secrets)
        assert.ok(status >= 400 || !echoed.includes(secret), `${said} tells ${secret}`);
    }
    assert.equal(await fingerprint(), before);
  });

  async function ask(method: string, path: string): Promise<{ status: number; text: string }> {
    const response = await fetch(t.url + path, {
      method,
      headers: { cookie: eve.cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(BODY) }),
    });
    return { status: response.status, text: await response.text() };
  }

  /** Holds a value for every field that a route may require. */
  const BODY = {
    ...{
      text: 'x',
      name: 'x',
      code: '000000',
      password: 'correct horse battery',
      role: 'member',
      title: 'x',
    },
    ...{
      slug: 'x',
      kind: 'team',
      recipient: 'sre',
      email: 'x@example.com',
      type: 'phone',
      value: '+15005550199',
    },
    ...{ start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z', enabled: false },
  };

  /** Everything that Acme's people created. */
  async function fingerprint(): Promise<string> {
    const rows: unknown[] = [];
    for (const table of [
      'pages',
      'moments',
      'webhooks',
      'teams',
      'schedules',
      'shifts',
      'users',
      'contact_methods',
    ] as const)
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

describe('headers of every answer', () => {
  let t: Story;
  before(async () => {
    t = await story({ organization: { people: { ada: {} } } });
  });
  after(() => t.end());

  it('allow no foreign script, no frame and no inline script', async () => {
    for (const path of [
      '/',
      '/welcome',
      '/api/session',
      '/sign-in/x',
      '/a/x',
      '/docs',
      '/openapi.json',
      '/nothing',
    ]) {
      const { headers } = await fetch(t.url + path);
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/, path);
      assert.match(policy, /frame-ancestors 'none'/, path);
      assert.doesNotMatch(policy, /script-src[^;]*unsafe/, path);
      if (path !== '/' && path !== '/welcome' && path !== '/docs')
        assert.doesNotMatch(policy, /unsafe/, path);
      assert.deepEqual(
        [
          headers.get('x-content-type-options'),
          headers.get('referrer-policy'),
          headers.get('x-frame-options'),
        ],
        ['nosniff', 'no-referrer', 'DENY'],
        path,
      );
      assert.equal(headers.get('strict-transport-security'), null, path);
    }
  });

  it('let the reference of the API be read, without requests to anybody else', async () => {
    const browser = await launchBrowser();
    try {
      const { page, errors } = await openTab(browser);
      const asked = new Set<string>();
      page.on('request', (request) => asked.add(new URL(request.url()).origin));
      page.on('response', (response) => response.status() >= 400 && errors.push(response.url()));
      await page.goto(`${t.url}/docs`);
      await page.getByText('/page/team').first().waitFor();
      assert.deepEqual(errors, []);
      assert.deepEqual(
        [...asked].filter((origin) => origin !== t.url && origin !== 'null'),
        [],
      );
    } finally {
      await browser.close();
    }
  });
});
