import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../src/kit/typeid.ts';
import { seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/**
 * What a member may not who has nothing to do with the thing that the path names: all of the dashboard's API that
 * changes something and is missing here is about their own, or open to all by intent. A new route is in none of the
 * two lists, and the test asks for it.
 */
const REFUSED = [
  ...['POST /api/two-factor', 'POST /api/invitations', 'POST /api/people/:id/sign-in-link'],
  ...[
    ...['acknowledge', 'resolve', 'escalate', 'responders', 'reassign', 'comments'],
    ...['unacknowledge', 'reopen', 'undo', 'extend', 'snooze'],
  ].map((act) => `POST /api/pages/:id/${act}`),
  ...[
    'PATCH /api/organization',
    'POST /api/shifts/:id/offer',
    'POST /api/shifts/:id/hand-over',
    'POST /api/shifts/:id/swap',
  ],
  ...[
    'POST /api/schedules',
    'PATCH /api/schedules/:id',
    'POST /api/schedules/:id/preview',
    'DELETE /api/schedules/:id',
    'POST /api/schedules/:id/overrides',
  ],
  ...[
    'POST /api/schedules/:id/plan/draft',
    'POST /api/schedules/:id/plan/publish',
    'POST /api/schedules/:id/plan/discard',
  ],
  ...[
    'POST /api/holiday-calendars',
    'PATCH /api/people/:id',
    'POST /api/people/:id/disable',
    'POST /api/people/:id/enable',
  ],
  ...['POST /api/teams', 'PATCH /api/teams/:id', 'DELETE /api/teams/:id', 'PUT /api/teams/:id/members/:user'],
  ...[
    'DELETE /api/teams/:id/members/:user',
    'POST /api/webhooks',
    'PATCH /api/webhooks/:id',
    'DELETE /api/webhooks/:id',
  ],
  ...['POST /api/webhooks/:id/rotate', 'POST /api/webhooks/:id/test', 'POST /api/webhooks/:id/retry'],
  ...['POST /api/notifications/:id/retry'],
  ...['acknowledge', 'resolve', 'reopen', 'comments', 'pages'].map((act) => `POST /api/moments/:id/${act}`),
  ...['DELETE /api/moments/:id/pages/:page'],
];

/** Somebody else's by another key than what the path names; nothing of that is told apart from what never was. */
const OWN = [
  // They do what is theirs of what they are told, and say how much that was.
  ...['POST /api/notifications/retry', 'POST /api/deliveries/:id/confirm'],
  ...['DELETE /api/session', 'POST /api/pages', 'POST /api/pages/preview', 'POST /api/schedules/forecast'],
  ...['PATCH /api/profile', 'POST /api/notices/read', 'POST /api/keys', 'DELETE /api/keys/:id'],
  ...['POST /api/push/subscriptions', 'DELETE /api/push/subscriptions'],
];
const OWN_ROOMS = [
  ...[
    'account',
    'contact-methods',
    'notification-rules',
    'availabilities',
    'availability-sources',
    'calendars',
  ],
  // These are looked up by whoever is asked in them.
  ...['covers', 'swaps'],
];
/** Nothing of the kind is there to be refused in this story. */
const ABSENT = [
  ...['POST /api/invitations/:id/link', 'POST /api/invitations/:id/send', 'DELETE /api/invitations/:id'],
  ...['DELETE /api/schedules/:id/overrides/:override', 'PATCH /api/holiday-calendars/:id'],
  ...['DELETE /api/holiday-calendars/:id', 'POST /api/holiday-calendars/:id/check'],
];

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
    const token = String(made.body.url).split('/moment/')[1]?.split('/')[0];
    await t.post(`/moment/${token}`, { name: 'Near miss', type: 'Near-miss', description: 'Disk full' });
    await t.settle();
    const first = async (table: 'schedules' | 'shifts' | 'moments' | 'received_notifications') =>
      (await t.db.selectFrom(table).select('id').executeTakeFirstOrThrow()).id;
    return {
      pages: page.id,
      deliveries: page.deliveries[0]?.id ?? '',
      webhooks: made.body.id,
      teams: t.acme.teams.sre ?? '',
      people: t.acme.users.grace ?? '',
      members: t.acme.users.grace ?? '',
      schedules: await first('schedules'),
      shifts: await first('shifts'),
      moments: await first('moments'),
      notifications: await first('received_notifications'),
    };
  }

  /** Whatever a route asks for, so that it comes to the question who asks. */
  const body = () => ({
    ...{
      text: 'x',
      name: 'x',
      title: 'x',
      slug: 'x',
      kind: 'team',
      recipient: 'sre',
      team: 'sre',
      type: 'custom',
    },
    ...{
      email: 'x@example.com',
      role: 'member',
      required: true,
      enabled: false,
      urgency: 'high',
      draft: 'x',
    },
    ...{ start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z', stage: 1, user: t.acme.users.edsger },
    ...{ users: [t.acme.users.edsger], to: t.acme.users.edsger, with: ids.shifts, time_zone: 'UTC' },
    ...{
      shifts: { every: 'week', handoff: 'Monday 09:00' },
      stages: [{ stage: 1, members: [t.acme.users.ada] }],
    },
    ...{
      schedule: ids.schedules,
      page: ids.pages,
      starts_at: '2030-01-01T00:00:00Z',
      ends_at: '2030-01-02T00:00:00Z',
      webhook: ids.webhooks,
      ids: [ids.notifications],
      strategy: 'fair',
      minutes: 5,
    },
  });

  /** Columns that no body may ever set, under the names that other services give them. */
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
    [...t.app.base.routeTable]
      .filter(([path]) => path.startsWith('/api/') && !path.startsWith('/api/sign-in'))
      .flatMap(([path, methods]) =>
        [...methods].map((method) => ({ method, path, name: `${method} ${path}` })),
      )
      .filter(({ method }) => method !== 'GET' && method !== 'HEAD');

  const aimed = (path: string) => {
    const parts = path.split('/');
    return parts
      .map((part, index) => (part.startsWith(':') ? (ids[parts[index - 1] ?? ''] ?? newId('page')) : part))
      .join('/');
  };

  const isOwn = ({ name, path }: { name: string; path: string }) =>
    OWN.includes(name) || ABSENT.includes(name) || OWN_ROOMS.includes(path.split('/')[2] ?? '');

  it('is told of every route whether it is theirs', () => {
    const unknown = changing().filter((route) => !REFUSED.includes(route.name) && !isOwn(route));
    assert.deepEqual(
      unknown.map(({ name }) => name),
      [],
    );
    const gone = REFUSED.filter((name) => !changing().some((route) => route.name === name));
    assert.deepEqual(gone, []);
  });

  it('changes nothing of what is a team’s, the organization’s or somebody else’s', async () => {
    const before = await everythingThere();
    const odd: string[] = [];
    for (const { method, path, name } of changing().filter((route) => REFUSED.includes(route.name))) {
      const answer = await edsger.call(method, aimed(path), body());
      // 409: an override for somebody who is no member of the stage.
      if (![403, 404, 409].includes(answer.status))
        odd.push(`${name}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
    }
    assert.deepEqual(odd, []);
    assert.equal(await everythingThere(), before);
  });

  it('cannot make themselves more, or anything somebody else’s, by naming columns', async () => {
    const before = await whoIsWhat();
    for (const { method, path, name } of changing()) {
      if (name === 'DELETE /api/session' || name.startsWith('DELETE /api/account/sessions')) continue;
      const given = {
        ...columns(),
        ...body(),
        ...(path === '/api/profile' ? { role: 'owner', email: 'ada@example.com' } : {}),
      };
      const { status, body: told } = await edsger.call(method, aimed(path), given);
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

  it('is answered whatever they look at, and so is the owner', async () => {
    const span = '?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z';
    for (const [path, methods] of t.app.base.routeTable) {
      if (!path.startsWith('/api/') || path === '/api/events' || !methods.has('GET')) continue;
      for (const { cookie } of [edsger, ada]) {
        const { status } = await fetch(t.url + aimed(path) + span, { headers: { cookie } });
        assert.ok(status < 500, `GET ${aimed(path)}: ${status}`);
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
      'teams',
      'schedules',
      'shifts',
      'received_notifications',
    ] as const)
      rows.push(await t.db.selectFrom(table).selectAll().orderBy('id').execute());
    return JSON.stringify(rows);
  }
});
