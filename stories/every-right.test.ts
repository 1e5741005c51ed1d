import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { withoutFrame } from '../src/http/dashboard.ts';
import { SCOPES, type Scope } from '../src/keys/contract.ts';
import { newId } from '../src/kit/typeid.ts';
import type { Role } from '../src/people/contract.ts';
import { accessOf, type Door, isForKeys, may, type Right, routeNames, rowOf } from '../src/people/rights.ts';
import { fakeOidc } from '../testing/fakes/fake-oidc.ts';
import { fakeSlack } from '../testing/fakes/fake-slack.ts';
import { fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { seedOrganization } from '../testing/organization.ts';
import { ratesWith } from '../testing/pay/rates.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** This story has nothing of the kind that could be refused, or it belongs to no member. */
const ABSENT = [
  ...['POST /api/invitations/:id/link', 'POST /api/invitations/:id/send', 'DELETE /api/invitations/:id'],
  ...['DELETE /api/schedules/:id/overrides/:override', 'PATCH /api/holiday-calendars/:id'],
  ...['DELETE /api/holiday-calendars/:id', 'POST /api/holiday-calendars/:id/check'],
  ...['PATCH /api/availabilities/:id', 'DELETE /api/availabilities/:id'],
  // Members may record their own absences.
  ...['POST /api/availabilities', 'POST /api/availabilities/upload'],
  // These act only on those of the named items that belong to the caller, and return how many that were.
  'POST /api/notifications/retry',
];

type Route = { method: string; path: string; name: string };

function routesOf(table: ReadonlyMap<string, ReadonlySet<string>>): Route[] {
  return [...table].flatMap(([path, methods]) =>
    [...methods]
      .filter((method) => method !== 'HEAD')
      .map((method) => ({ method, path, name: `${method} ${path}` })),
  );
}

/** Replaces each parameter of a path by the id of something that exists. */
function aimed(path: string, ids: Record<string, string>): string {
  const parts = path.split('/');
  return parts
    .map((part, index) => (part.startsWith(':') ? (ids[parts[index - 1] ?? ''] ?? newId('page')) : part))
    .join('/');
}

/** Whatever a route requires, so that it gets as far as the check of rights. */
function bodyOf(users: Record<string, string>, ids: Record<string, string>) {
  return {
    ...{
      text: 'x',
      name: 'x',
      title: 'x',
      slug: 'x',
      kind: 'team',
      recipient: 'sre',
      team: 'sre',
      type: 'custom',
      pages: [ids.pages],
    },
    ...{
      email: 'x@example.com',
      role: 'member',
      required: true,
      enabled: false,
      urgency: 'high',
      draft: 'x',
      revision: 0,
    },
    ...{ start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z', stage: 1, user: users.edsger },
    ...{ users: [users.edsger], to: users.edsger, with: ids.shifts, time_zone: 'UTC' },
    ...{
      shifts: { every: 'week', handoff: 'Monday 09:00' },
      stages: [{ stage: 1, members: [users.ada] }],
    },
    ...{
      schedule: ids.schedules,
      page: ids.pages,
      starts_at: '2030-01-01T00:00:00Z',
      ends_at: '2030-01-02T00:00:00Z',
      webhook: ids.webhooks,
      ids: [ids.notifications],
      ...{ list: 'pages', query: 'show=all' },
      strategy: 'fair',
      minutes: 5,
    },
    ...{
      currency: 'EUR',
      table: null,
      rates: ratesWith(),
      figures: 'x',
      first: '2030-01-01',
      last: '2030-01-31',
      // Of a provider.
      values: {},
    },
  };
}

describe('a member of no team', () => {
  let t: Story;
  let ada: SignedIn;
  let edsger: SignedIn;
  let ids: Record<string, string>;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace', 'edsger'),
        teams: {
          sre: {
            members: ['ada', 'grace'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'grace' }],
          },
        },
      }),
    });
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    ada = await signIn(t, 'ada');
    edsger = await signIn(t, 'edsger');
    ids = await everything();
    await seedOrganization(t, { people: { eve: {} }, teams: { evil: { members: ['eve'] } } }, 'Evil');
  });
  after(async () => {
    t.receiver.inbox.takeAll();
    await t.end();
  });

  async function everything(): Promise<Record<string, string>> {
    const { page } = await t.status(await t.page('team', 'sre'));
    const made = await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'w', type: 'custom' });
    const window = await ada.call('POST', '/api/windows', { team: 'sre', name: 'w', minutes: 60 });
    const token = String(made.body.url).split('/moment/')[1]?.split('/')[0];
    await t.post(`/moment/${token}`, { name: 'Near miss', type: 'Near-miss', description: 'Disk full' });
    await t.settle();
    const first = async (table: 'schedules' | 'shifts' | 'moments' | 'received_notifications') =>
      (await t.db.selectFrom(table).select('id').executeTakeFirstOrThrow()).id;
    return {
      pages: page.id,
      deliveries: page.deliveries[0]?.id ?? '',
      ...{ rates: '2030-01-01', from: '2030-01-01' },
      webhooks: made.body.id,
      sources: (await t.source({ team: 'sre' })).id,
      windows: window.body.id,
      teams: t.acme.teams.sre ?? '',
      people: t.acme.users.grace ?? '',
      members: t.acme.users.grace ?? '',
      schedules: await first('schedules'),
      shifts: await first('shifts'),
      moments: await first('moments'),
      notifications: await first('received_notifications'),
    };
  }

  const body = () => bodyOf(t.acme.users, ids);

  /** Columns that no body may ever set, by the names that other services give them. */
  const columns = () => ({
    ...{
      id: newId('organization'),
      organization_id: newId('organization'),
      organizationId: 'x',
      user_id: t.acme.users.ada,
    },
    ...{
      userId: t.acme.users.ada,
      is_admin: true,
      admin: true,
      permissions: ['*'],
      verified: true,
      verified_at: '2020-01-01T00:00:00Z',
    },
    ...{
      created_at: '2020-01-01T00:00:00Z',
      created_by: t.acme.users.ada,
      disabled_at: null,
      state: 'resolved',
      scopes: null,
    },
    ...{
      password_hash: 'x',
      key_hash: 'x',
      token: 'x',
      signing_secret: 'x',
      manages: true,
      pass: { kind: 'session' },
    },
  });

  const changing = () =>
    routesOf(t.app.base.routeTable).filter(
      ({ method, path }) => /^\/api\/(?!sign-in|v2\/)/.test(path) && method !== 'GET',
    );

  /** What a member may not do to something that they have nothing to do with. */
  const refused = () =>
    changing().filter(({ method, path, name }) => {
      const { whose } = accessOf(method, path);
      const asked = /^\/api\/(covers|swaps)\//.test(path);
      return whose !== 'their own' && whose !== 'everybody' && !asked && !ABSENT.includes(name);
    });

  it('changes nothing of a team, the organization or somebody else', async () => {
    const before = await everythingThere();
    const odd: string[] = [];
    for (const { method, path, name } of refused()) {
      const answer = await edsger.call(method, aimed(path, ids), body());
      // 409: an override for a person who is not a member of the stage.
      if (![403, 404, 409].includes(answer.status))
        odd.push(`${name}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
    }
    assert.deepEqual(odd, []);
    assert.equal(await everythingThere(), before);
  });

  it('cannot gain rights, or change owners, by naming columns', async () => {
    const before = await whoIsWhat();
    for (const { method, path, name } of changing()) {
      if (name === 'DELETE /api/session' || name.startsWith('DELETE /api/account/sessions')) continue;
      const given = {
        ...columns(),
        ...body(),
        ...(path === '/api/profile' ? { role: 'owner', email: 'ada@example.com' } : {}),
      };
      const { status, body: told } = await edsger.call(method, aimed(path, ids), given);
      assert.ok(status < 500, `${name}: ${status} ${JSON.stringify(told)}`);
    }
    assert.equal(await whoIsWhat(), before);
    const log = JSON.stringify(await t.db.selectFrom('audit_log').select('data').execute());
    assert.doesNotMatch(
      log,
      /password_hash|is_admin|key_hash/,
      'the audit log keeps what was changed, not what was sent',
    );
    const foreign = await t.db
      .selectFrom('contact_methods')
      .select(['user_id', 'verified_at'])
      .where('user_id', '=', t.acme.users.edsger ?? '')
      .where('type', '<>', 'webhook')
      .execute();
    assert.ok(
      foreign.every(({ verified_at }) => verified_at === null),
      'nothing is verified by saying so',
    );
    const keys = await t.db
      .selectFrom('api_keys')
      .select(['user_id', 'name'])
      .where('name', '=', 'x')
      .execute();
    assert.ok(keys.every(({ user_id }) => user_id === t.acme.users.edsger));
  });

  it('can read everything without an error, and so can the owner', async () => {
    const span = '?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z';
    for (const [path, methods] of t.app.base.routeTable) {
      if (!path.startsWith('/api/') || path === '/api/events' || !methods.has('GET')) continue;
      for (const { cookie } of [edsger, ada]) {
        const { status } = await fetch(t.url + aimed(path, ids) + span, { headers: { cookie } });
        assert.ok(status < 500, `GET ${aimed(path, ids)}: ${status}`);
      }
    }
  });

  async function whoIsWhat(): Promise<string> {
    const people = await t.db
      .selectFrom('users')
      .select(['id', 'organization_id', 'email', 'role', 'disabled_at'])
      .orderBy('id')
      .execute();
    const members = await t.db
      .selectFrom('team_members')
      .select(['team_id', 'user_id', 'organization_id', 'role'])
      .orderBy('team_id')
      .orderBy('user_id')
      .execute();
    return JSON.stringify([people, members, await t.db.selectFrom('organizations').selectAll().execute()]);
  }

  async function everythingThere(): Promise<string> {
    const rows: unknown[] = [await whoIsWhat()];
    for (const table of [
      'pages',
      'moments',
      'webhooks',
      'page_sources',
      'teams',
      'schedules',
      'shifts',
      'received_notifications',
      'pay_tables',
      'pay_periods',
    ] as const)
      rows.push(await t.db.selectFrom(table).selectAll().orderBy('id').execute());
    return JSON.stringify(rows);
  }
});

/** Every kind of caller, from a stranger to an owner who has just re-authenticated. */
describe('every door', () => {
  let t: Story;
  let stop: () => Promise<unknown>;
  let ids: Record<string, string>;
  let keys: { plain: string; full: string; scoped: Record<Scope, string> };
  let confirmed: SignedIn;
  let stale: SignedIn;

  before(async () => {
    const fakes = await Promise.all([fakeSlack(), fakeTwilio(), fakeOidc()]);
    stop = () => Promise.all(fakes.map((fake) => fake.stop()));
    t = await story({
      env: Object.assign({ LOG_LEVEL: 'silent' }, ...fakes.map(({ env }) => env)),
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace', 'mary', 'alan'),
        teams: {
          sre: { members: ['ada', 'mary'], schedules: [{ stages: [['ada'], ['mary']], backstop: 'ada' }] },
        },
      }),
    });
    const set = (person: string, role: Role) =>
      t.db
        .updateTable('users')
        .set({ role })
        .where('id', '=', t.acme.users[person] ?? '')
        .execute();
    await set('ada', 'owner');
    await set('grace', 'admin');
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', t.acme.users.mary ?? '')
      .execute();
    stale = await signIn(t, 'ada');
    await t.db
      .updateTable('sessions')
      .set({ confirmed_at: (await t.clock.now(t.db)).subtract({ hours: 2 }) })
      .execute();
    confirmed = await signIn(t, 'ada');
    ids = await everything();
    const scoped = Object.fromEntries(
      await Promise.all(SCOPES.map(async (scope) => [scope, await keyOf({ scopes: [scope] })])),
    ) as Record<Scope, string>;
    keys = { plain: await keyOf({}), full: await keyOf({ full: true }), scoped };
  });
  after(async () => {
    t.receiver.inbox.takeAll();
    await t.end();
    await stop();
  });

  async function keyOf(about: { scopes?: Scope[]; full?: boolean }): Promise<string> {
    const { status, body } = await confirmed.call('POST', '/api/keys', { name: 'k', ...about });
    assert.equal(status, 200, JSON.stringify(body));
    return body.key;
  }

  async function everything(): Promise<Record<string, string>> {
    const requestId = await t.page('team', 'sre');
    const { page } = await t.status(requestId);
    const webhook = await confirmed.call('POST', '/api/webhooks', { team: 'sre', name: 'w', type: 'custom' });
    await fetch(webhook.body.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Near miss', type: 'near-miss' }),
    });
    await t.settle();
    const { id: invitation } = (
      await confirmed.call('POST', '/api/invitations', {
        email: 'new@example.com',
        teams: [t.acme.teams.sre],
      })
    ).body;
    const first = async (table: 'schedules' | 'shifts' | 'moments' | 'received_notifications') =>
      (await t.db.selectFrom(table).select('id').executeTakeFirstOrThrow()).id;
    return {
      ...{ pages: page.id, request: requestId, webhooks: webhook.body.id, invitations: invitation },
      ...{ rates: '2030-01-01', from: '2030-01-01' },
      sources: (await t.source({ team: 'sre', name: 'Watched' })).id,
      ...{ teams: t.acme.teams.sre ?? '', people: t.acme.users.alan ?? '', members: t.acme.users.alan ?? '' },
      ...{ schedules: await first('schedules'), shifts: await first('shifts') },
      ...{ moments: await first('moments'), notifications: await first('received_notifications') },
    };
  }

  const onBase = () => routesOf(t.app.base.routeTable).map((route) => ({ ...route, at: t.url }));
  const onUpload = () =>
    routesOf(t.app.upload?.routeTable ?? new Map()).map((route) => ({ ...route, at: t.uploadUrl }));
  /** Each listener answers the other's paths with where they are; nothing else is behind them. */
  const isElsewhere = async ({ at, method, path }: Route & { at: string }) =>
    (await fetch(at + aimed(path, ids).replace('*', 'x'), { method })).status === 421;

  let walked: Promise<(Route & { at: string })[]> | null = null;
  function everyRoute(): Promise<(Route & { at: string })[]> {
    walked ??= walk();
    return walked;
  }

  async function walk(): Promise<(Route & { at: string })[]> {
    const all = [...onBase(), ...onUpload()];
    const here: (Route & { at: string })[] = [];
    // All at once would be more connections than a busy machine takes.
    for (const some of batches(all, 20)) {
      const elsewhere = await Promise.all(some.map(isElsewhere));
      here.push(...some.filter((_, index) => !elsewhere[index]));
    }
    return here;
  }

  function batches<Item>(items: readonly Item[], size: number): Item[][] {
    return Array.from({ length: Math.ceil(items.length / size) }, (_, batch) =>
      items.slice(batch * size, (batch + 1) * size),
    );
  }

  /** Files of the built dashboard, which everybody gets. */
  async function isOfDashboard({ at, method, path }: Route & { at: string }): Promise<boolean> {
    if (method !== 'GET' || path.startsWith('/api/')) return false;
    const document = await readFile(new URL('../web/dist/index.html', import.meta.url), 'utf8');
    // Its head also names the files of the view.
    const [head = '', body = ''] = document.split('</head>');
    const answer = await fetch(at + path.replace('*', 'x').replaceAll(':', ''), {
      headers: { accept: 'text/html' },
    });
    const file = path.replace(/\*$/, '');
    const text = await answer.text();
    // Without a session, there is no frame in it.
    const isDocument = text.startsWith(head) && text.endsWith(`</head>${withoutFrame(body)}`);
    return isDocument || existsSync(new URL(`../web/dist${file}`, import.meta.url));
  }

  const behind = async (holds: (door: Door) => boolean) =>
    (await everyRoute()).filter((route) => {
      const row = rowOf(route.method, route.path);
      return row !== null && holds(row.door);
    });

  async function ask(
    { at, method, path }: Route & { at: string },
    headers: Record<string, string>,
    body: unknown = {},
  ): Promise<{ status: number; text: string }> {
    const ending = new AbortController();
    const response = await fetch(at + aimed(path, ids), {
      method,
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      signal: ending.signal,
    });
    const { status } = response;
    // The stream stays open, so its body is not read.
    const text = path === '/api/events' && status === 200 ? '' : await response.text();
    ending.abort();
    return { status, text };
  }

  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const isScope = (door: Door): door is Scope => SCOPES.some((scope) => scope === door);
  const leaves = ({ name }: Route) =>
    name === 'DELETE /api/session' || name.startsWith('DELETE /api/account/sessions');

  it('is in the table of rights, and the table has no other', async () => {
    const there = await everyRoute();
    const missing: string[] = [];
    for (const route of there)
      if (!rowOf(route.method, route.path) && !(await isOfDashboard(route))) missing.push(route.name);
    assert.deepEqual(missing, [], 'say in src/people/rights.ts who may use these');
    const names = new Set(there.map(({ name }) => name));
    assert.deepEqual(
      routeNames().filter((name) => !names.has(name)),
      [],
    );
  });

  it('is closed without credentials, unless the table opens it', async () => {
    for (const route of await behind((door) => door !== 'open' && door !== 'secret'))
      assert.equal((await ask(route, {})).status, 401, route.name);
  });

  it('is open to a key without scopes for the public interface, and never for /api', async () => {
    for (const route of await behind((door) => door !== 'open' && door !== 'secret')) {
      const { status, text } = await ask(route, bearer(keys.plain));
      const said = `${route.name}: ${status} ${text}`;
      if (isScope(rowOf(route.method, route.path)?.door ?? 'open'))
        assert.ok(status !== 401 && status !== 403, said);
      else assert.ok(status === 403 && text.includes('--full'), said);
    }
  });

  it('is open to a key with one scope only for that scope', async () => {
    for (const [scope, key] of Object.entries(keys.scoped))
      for (const route of await behind((door) => door !== 'open' && door !== 'secret')) {
        const { status, text } = await ask(route, bearer(key));
        const row = rowOf(route.method, route.path);
        const theirs = row?.door === scope || row?.scope === scope;
        assert.equal(status !== 403, theirs, `${scope} ${route.name}: ${status} ${text}`);
      }
  });

  it('reveals no credential or secret to a key with full access, or to an unconfirmed session', async () => {
    for (const route of await behind((door) => !isScope(door) && door !== 'open' && door !== 'secret')) {
      const access = accessOf(route.method, route.path);
      if (!isForKeys(access)) {
        const byKey = await ask(route, bearer(keys.full));
        assert.ok(
          byKey.status === 403 && byKey.text.includes('cannot be done with an API key'),
          `${route.name}: ${byKey.text}`,
        );
      }
      if (access.door !== 'confirmed' && access.door !== 'confirmed or key') continue;
      const { status, text } = await ask(route, { cookie: stale.cookie });
      assert.ok(status === 403 && text.includes('"confirmation"'), `${route.name}: ${text}`);
    }
  });

  it('requires re-authentication if the body makes it dangerous', async () => {
    const dangerous: [string, string, Record<string, unknown>][] = [
      ['PATCH', '/api/people/:id', { role: 'admin' }],
      ['PUT', '/api/teams/:id/members/:user', { role: 'manager' }],
      [
        'POST',
        '/api/teams',
        { name: 'N', slug: 'n', members: [{ user: t.acme.users.alan, role: 'manager' }] },
      ],
      ['POST', '/api/contact-methods', { type: 'webhook', value: 'https://example.com/' }],
      ['PATCH', '/api/webhooks/:id', { signing_secret: 'sixteen letters.' }],
      ['PATCH', '/api/sources/:id', { signing_secret: 'sixteen letters.' }],
    ];
    for (const [method, path, body] of dangerous) {
      const route = { method, path, name: `${method} ${path}`, at: t.url };
      assert.ok(rowOf(method, path)?.confirmedFor, route.name);
      assert.match(
        (await ask(route, bearer(keys.full), body)).text,
        /cannot be done with an API key/,
        route.name,
      );
      assert.match((await ask(route, { cookie: stale.cookie }, body)).text, /"confirmation"/, route.name);
    }
    const counted = (await everyRoute()).filter(({ method, path }) => rowOf(method, path)?.confirmedFor);
    assert.equal(counted.length, dangerous.length, 'each is tried here');
  });

  it('shows secrets only to confirmed people', async () => {
    await confirmed.call('POST', '/api/calendars', { kind: 'person' });
    await confirmed.call('PATCH', `/api/webhooks/${ids.webhooks}`, { signing_secret: 'sixteen letters.' });
    const sources = ['/api/sources', `/api/sources/${ids.sources}`];
    for (const path of ['/api/webhooks', `/api/webhooks/${ids.webhooks}`, '/api/calendars', ...sources]) {
      const secret = /\/moment\/|\/page\/|\/calendar\/|sixteen letters/;
      assert.match(JSON.stringify((await confirmed.call('GET', path)).body), secret, path);
      assert.doesNotMatch(JSON.stringify((await stale.call('GET', path)).body), secret, path);
      assert.doesNotMatch(JSON.stringify((await t.get(path, keys.full)).body), secret, path);
    }
  });

  it('allows each role exactly what the table lists', async () => {
    const body = bodyOf(t.acme.users, ids);
    const roles = {
      alan: { role: 'member' },
      mary: { role: 'member', manages: true },
      grace: { role: 'admin' },
      ada: { role: 'owner' },
    } as const;
    for (const [person, actor] of Object.entries(roles)) {
      const who = await signIn(t, person);
      const routes = (await everyRoute())
        .filter(({ path }) => path.startsWith('/api/'))
        .filter((route) => !leaves(route));
      // Deletions come last, and delete nothing that another route needs.
      for (const route of routes.toSorted(
        (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
      )) {
        const whose = rowOf(route.method, route.path)?.whose;
        if (!whose || !isRight(whose)) continue;
        const kept = route.method === 'DELETE' || /disable|rotate|invitations/.test(route.path);
        const target =
          kept && may(actor, whose) ? { ...route, path: route.path.replace(/:\w+/, newId('page')) } : route;
        const { status, text } = await ask(target, { cookie: who.cookie }, body);
        const said = `${person} ${route.name}: ${status} ${text.slice(0, 300)}`;
        if (may(actor, whose) || ABSENT.includes(route.name))
          assert.ok(status !== 401 && (status !== 403 || ABSENT.includes(route.name)), said);
        else assert.ok([403, 404, 409].includes(status), said);
      }
    }
  });
});

function isRight(whose: string): whose is Right {
  return whose.includes('.');
}
