import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { handoffFacts } from '../src/handoffs/note.ts';
import { addText, insertNote } from '../src/handoffs/store.ts';
import { reachableElsewhere } from '../testing/elsewhere.ts';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { ratesWith } from '../testing/pay/rates.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Sign-in is open to everybody; `every-route.test.ts` and the stories about sign-in cover it. */
const OPEN = (path: string) => /^\/api\/(sign-in|v2\/)/.test(path);
/** The path names something that has no row, or that only a browser's key can create. */
const NO_ROW = [
  ...['/api/notification-rules/:urgency', '/api/account/passkeys/:id', '/api/events/:id/heard'],
  // All organizations share the providers, and with several of them, nobody can change one.
  ...['/api/providers/:name', '/api/providers/:name/check'],
];
/** Acts on the viewer's own deliveries among those named, and answers only whether there were any. */
const SAYS_NOTHING = ['POST /api/deliveries/:id/confirm'];

/** Other values that a route requires, so that it gets as far as the check of the organization. */
const GIVEN = {
  ...{ text: 'x', name: 'x', title: 'x', slug: 'x', kind: 'team', role: 'member', urgency: 'high' },
  revision: 0,
  ...{ email: 'x@example.com', code: '000000', password: 'correct horse battery', enabled: false, stage: 1 },
  ...{ start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z', time_zone: 'UTC', notices: true },
  ...{ starts_at: '2030-01-01T00:00:00Z', ends_at: '2030-01-02T00:00:00Z', draft: 'x', strategy: 'fair' },
  ...{ days: [{ date: '2030-01-01', name: 'x' }], required: true, minutes: 30, in_person: true },
  ...{
    currency: 'EUR',
    table: null,
    rates: ratesWith(),
    figures: 'x',
    first: '2030-01-01',
    last: '2030-01-31',
  },
};
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const SPAN = `?from=${inDays(-180)}&to=${inDays(180)}`;
const DAY = { starts_at: '2030-01-01T00:00:00Z', ends_at: '2030-01-02T00:00:00Z' };
const CALENDAR =
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20261101T000000Z\r\nDTSTART:20301101T000000Z\r\nDTEND:20301102T000000Z\r\nSUMMARY:Off\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';

/**
 * Walks the table of routes, so that new routes are covered at once. Each path names something that exists in another
 * organization: none of it may be read or changed, and the answer must equal the one about something that never
 * existed.
 */
describe('the owner of another organization', () => {
  let t: Story;
  let elsewhere: Awaited<ReturnType<typeof reachableElsewhere>>;
  let evil: Organization;
  let eve: SignedIn;
  /** Keyed by the segment before the parameter in a path. */
  let acmes: Record<string, string>;
  let eves: Record<string, string>;
  let secrets: string[];

  before(async () => {
    t = await story({
      env: { LOG_LEVEL: 'silent' },
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace'),
        teams: {
          sre: {
            members: ['ada', 'grace'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'grace' }],
          },
        },
      }),
    });
    elsewhere = await reachableElsewhere();
    evil = await seedOrganization(
      t,
      {
        people: Object.fromEntries(
          ['eve', 'mallory'].map((name) => [
            name,
            {
              methods: [
                { type: 'email', value: `${name}@example.com` },
                { type: 'webhook', value: elsewhere.url },
              ],
            },
          ]),
        ),
        teams: { sre: { members: ['eve', 'mallory'], schedules: [{ stages: [['eve'], ['mallory']] }] } },
      },
      'Evil',
    );
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', 'in', ['ada', 'eve']).execute();
    acmes = await everythingOf(t.acme, 'ada', 'grace');
    eves = await everythingOf(evil, 'eve', 'mallory');
    eve = await signIn({ ...t, acme: evil }, 'eve');
    secrets = ['Ada', 'Grace', 'Acme', 'Disk of ada', t.acme.id, ...Object.values(t.acme.users)];
  });
  after(async () => {
    t.receiver.inbox.takeAll();
    await t.end();
    elsewhere.close();
  });

  /** One of each thing that a path can name, created as people create it. */
  async function everythingOf(
    acme: Organization,
    owner: string,
    other: string,
  ): Promise<Record<string, string>> {
    const about = `Disk of ${owner}`;
    const me = await signIn({ ...t, acme }, owner);
    const made = async (path: string, body: object) => {
      const answer = await me.call('POST', path, body);
      assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      const things: { id?: string }[] = [answer.body, ...Object.values(answer.body)];
      const id = things.find((thing) => typeof thing?.id === 'string')?.id;
      return id ?? assert.fail(`${path} answers no id: ${JSON.stringify(answer.body)}`);
    };
    const first = async (table: 'schedules' | 'shifts' | 'moments' | 'received_notifications' | 'sessions') =>
      (
        await t.db
          .selectFrom(table as 'schedules')
          .select('id')
          .where('organization_id', '=', acme.id)
          .orderBy('id')
          .executeTakeFirstOrThrow()
      ).id;
    const headers = { authorization: `Bearer ${acme.key}` };
    const raised = await t.post('/page/team', { recipient: 'sre', title: about, text: 'x' }, headers);
    const request = String(raised.body.service_request_id);
    await t.settle();
    const status = await t.get(`/request/${request}/status`, acme.key);
    const { page } = status.body.response as { page: { id: string; deliveries: { id: string }[] } };
    const hook = await me.call('POST', '/api/webhooks', { team: 'sre', name: 'w', type: 'custom' });
    const moment = { name: about, type: 'alert', description: 'x' };
    await t.post(new URL(hook.body.url).pathname, moment, headers);
    await t.settle();
    const schedule = await first('schedules');
    const shifts = await t.db
      .selectFrom('shifts')
      .select(['id', 'user_id'])
      .where('organization_id', '=', acme.id)
      .execute();
    const [mine, theirs] = [owner, other].map(
      (name) => shifts.find(({ user_id }) => user_id === acme.users[name])?.id ?? '',
    );
    const user = acme.users[other] ?? '';
    return {
      pages: page.id,
      requests: request,
      deliveries: page.deliveries[0]?.id ?? '',
      webhooks: hook.body.id,
      moments: await first('moments'),
      notifications: await first('received_notifications'),
      teams: acme.teams.sre ?? '',
      ...{ people: user, members: user, schedules: schedule, shifts: mine ?? '' },
      sessions: await first('sessions'),
      'contact-methods': (
        await t.db
          .selectFrom('contact_methods')
          .select('id')
          .where('user_id', '=', acme.users[owner] ?? '')
          .executeTakeFirstOrThrow()
      ).id,
      sources: await made('/api/sources', { team: 'sre', name: 's', type: 'custom' }),
      windows: await made('/api/windows', { team: 'sre', name: about, ...SOON }),
      handoffs: await handedOff(acme.id, schedule, about),
      'saved-views': await made('/api/saved-views', {
        ...{ team: 'sre', list: 'pages', name: about, query: 'show=all' },
      }),
      keys: await made('/api/keys', { name: 'k' }),
      calendars: await made('/api/calendars', { kind: 'team', team: 'sre' }),
      availabilities: await made('/api/availabilities', {
        type: 'hard_unavailable',
        name: about,
        ...DAY,
      }),
      'availability-sources': await made('/api/availability-sources', {
        name: 's',
        ics: CALENDAR,
        events: 'all',
      }),
      'holiday-calendars': await made('/api/holiday-calendars', {
        name: about,
        days: [{ date: '2030-12-24', name: 'x' }],
      }),
      tables: await made('/api/pay/tables', { name: about, currency: 'EUR' }),
      periods: await made('/api/pay/periods', { first: '2030-02-01', last: '2030-02-28' }),
      ...{ statements: user, rates: '2030-01-01', from: '2030-01-01' },
      invitations: await made('/api/invitations', { email: `new-${other}@example.com`, role: 'member' }),
      covers: await made(`/api/shifts/${mine}/offer`, {}),
      swaps: await made(`/api/shifts/${mine}/swap`, { with: theirs }),
      // Last, because it takes hours of the shifts above.
      overrides: await made(`/api/schedules/${schedule}/overrides`, {
        stage: 1,
        user: acme.users[owner],
        ...SOON,
      }),
    };
  }
  /** The note of a hand-off to which people added `text`. */
  const handedOff = (organizationId: string, scheduleId: string, text: string) =>
    t.db.transaction().execute(async (tx) => {
      const at = await t.clock.now(tx);
      const since = at.subtract({ hours: 1 });
      const of = { organizationId, scheduleId, teamId: '', teamSlug: 'sre', name: 'SRE' };
      const facts = await handoffFacts(tx, of, { since, at, now: at, changes: [] });
      const id = await insertNote(tx, at, { ...of, at, since, changes: [], facts });
      assert.ok(id);
      await addText(tx, id, { text, writtenBy: null });
      return id;
    });
  /** While Ada and Grace are both on call. */
  const SOON = { starts_at: inDays(8), ends_at: inDays(9) };

  const routes = () =>
    [...t.app.base.routeTable]
      .filter(([path]) => path.startsWith('/api/') && !path.includes('*') && !OPEN(path))
      .flatMap(([path, methods]) =>
        [...methods]
          .filter((method) => method !== 'HEAD')
          .map((method) => ({ method, path, name: `${method} ${path}` })),
      );
  /** The segments before the parameters of a path, which say what each parameter names. */
  const named = (path: string) =>
    path.split('/').filter((_, index, parts) => parts[index + 1]?.startsWith(':'));
  /** `whose` returns the value of each parameter. */
  const aimed = (path: string, whose: (room: string, index: number) => string | undefined) => {
    let place = 0;
    return path.replace(/([\w-]+)\/:\w+/g, (_, room: string) => `${room}/${whose(room, place++) ?? 'x'}`);
  };
  const nobodys = (path: string) => path.replace(/_[0-9a-z]{26}/g, `_${'0'.repeat(26)}`);

  /** Replaces the ids in the answer, except those of Acme that the request did not name. */
  async function ask(
    method: string,
    path: string,
    body: object = GIVEN,
  ): Promise<{ status: number; text: string }> {
    const response = await fetch(t.url + path + (method === 'GET' ? SPAN : ''), {
      method,
      headers: { cookie: eve.cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
    const alike = (id: string) =>
      path.includes(id) || !secrets.some((secret) => secret.endsWith(id)) ? '_' : id;
    return { status: response.status, text: (await response.text()).replaceAll(/_[0-9a-z]{26}/g, alike) };
  }

  it("can name one of Acme's objects in every place of every path", () => {
    const without = routes().filter(
      ({ path }) => !NO_ROW.includes(path) && !named(path).every((room) => acmes[room] && eves[room]),
    );
    assert.deepEqual(
      without.map(({ name }) => name),
      [],
    );
    assert.ok(routes().filter(({ path }) => path.includes(':')).length > 70);
  });

  it('gets the same answer for Acme’s objects as for objects that do not exist', async () => {
    const before = await everythingThere();
    const odd: string[] = [];
    for (const { method, path, name } of routes().filter((route) => route.path.includes(':'))) {
      if (NO_ROW.includes(path) || SAYS_NOTHING.includes(name)) continue;
      const target = aimed(path, (room) => acmes[room]);
      const got = await ask(method, target, { ...GIVEN, ...referring(eves) });
      const none = await ask(method, nobodys(target), { ...GIVEN, ...referring(eves) });
      if (got.status !== 404 || got.text !== none.text)
        odd.push(`${method} ${target}: ${got.status} ${got.text} ${none.text}`);
      // Days belong to no organization.
      if (named(path).length < 2 || path.endsWith('/:from')) continue;
      // A path that begins with Eve's own things must not lead to Acme's.
      const mixed = aimed(path, (room, place) => (place === 0 ? eves : acmes)[room]);
      const absent = aimed(path, (room, place) => (place === 0 ? eves[room] : nobodys(acmes[room] ?? '')));
      const [theirs, nothing] = [await ask(method, mixed), await ask(method, absent)];
      if (theirs.status !== nothing.status || theirs.text !== nothing.text)
        odd.push(`${name}: ${theirs.status} ${theirs.text} ${nothing.text}`);
    }
    assert.deepEqual(odd, []);
    assert.equal(await everythingThere(), before);
  });

  /** All field names by which a body may refer to something. */
  const referring = (things: Record<string, string>) => ({
    ...{ user: things.people, users: [things.people], person: things.people, to: things.people },
    ...{ with: things.shifts, page: things.pages, team: things.teams, schedule: things.schedules },
    ...{
      recipient: things.teams,
      webhook: things.webhooks,
      ids: [things.notifications],
      backstop: things.people,
      table: things.tables,
    },
    stages: [{ stage: 1, members: [things.people] }],
    shifts: { every: 'week', handoff: 'Monday 09:00' },
  });

  it('cannot link their objects to Acme’s by naming those in a body', async () => {
    const before = await everythingThere();
    const tied = await theirsThatName();
    assert.deepEqual(tied, []);
    for (const { method, path, name } of routes()) {
      if (method === 'GET' || name === 'DELETE /api/session' || path.includes('/sessions')) continue;
      const { status, text } = await ask(
        method,
        aimed(path, (room) => eves[room]),
        { ...GIVEN, ...referring(acmes) },
      );
      assert.ok(status < 500, `${name}: ${status} ${text}`);
      for (const secret of secrets.slice(0, 4))
        assert.ok(!text.includes(secret), `${name} tells ${secret}: ${text}`);
    }
    assert.deepEqual(await theirsThatName(), []);
    assert.equal(await everythingThere(), before);
  });

  async function tablesOf(organization: string): Promise<[table: string, rows: unknown[]][]> {
    const tables = await t.db.introspection.getTables();
    const owned = tables.filter(({ columns }) => columns.some(({ name }) => name === 'organization_id'));
    assert.ok(owned.length > 30, `${owned.length}`);
    return Promise.all(
      owned.map(async ({ name }) => {
        const of = t.db
          .selectFrom(name as 'pages')
          .selectAll()
          .where('organization_id', '=', organization);
        return [name, await of.execute()] as [string, unknown[]];
      }),
    );
  }

  /** All rows of Acme, in every table. */
  async function everythingThere(): Promise<string> {
    return JSON.stringify(await tablesOf(t.acme.id));
  }

  /**
   * Tables in which a row of Eve's organization refers to something of Acme's. Refused calls are stored as received.
   */
  async function theirsThatName(): Promise<string[]> {
    const ids = Object.values(acmes).filter((id) => id.includes('_'));
    return (await tablesOf(evil.id))
      .filter(
        ([table, rows]) => table !== 'refused_pages' && ids.some((id) => JSON.stringify(rows).includes(id)),
      )
      .map(([table]) => table);
  }
});
