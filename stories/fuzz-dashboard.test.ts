import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { hostileText, hostileValue } from '../testing/fuzz/hostile-values.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const EACH = Number(process.env.FUZZ_EACH ?? 15);
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Routes that would end the story, or that never end. */
const LEFT_OUT = [
  'DELETE /api/session',
  'GET /api/events',
  'POST /api/people/:id/disable',
  'PATCH /api/people/:id',
];

let t: Story;
let ada: SignedIn;
const ids: Record<string, string> = {};

before(async () => {
  t = await story({
    env: { RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' },
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada', 'grace'),
      teams: {
        sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']], backstop: 'grace' }] },
      },
    }),
  });
  await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
  ada = await signIn(t, 'ada');
  const { page } = await t.status(await t.page('team', 'sre'));
  const webhook = (await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'w', type: 'custom' })).body;
  await t.post(new URL(webhook.url).pathname, {
    name: 'Near miss',
    type: 'Near-miss',
    description: 'Disk full',
  });
  await t.settle();
  const first = async (
    table: 'schedules' | 'shifts' | 'moments' | 'received_notifications' | 'contact_methods',
  ) => (await t.db.selectFrom(table).select('id').executeTakeFirstOrThrow()).id;
  Object.assign(ids, {
    ...{ pages: page.id, deliveries: page.deliveries[0]?.id, webhooks: webhook.id, teams: t.acme.teams.sre },
    ...{ people: t.acme.users.grace, members: t.acme.users.grace, schedules: await first('schedules') },
    ...{ shifts: await first('shifts'), moments: await first('moments'), 'notification-rules': 'high' },
    ...{
      notifications: await first('received_notifications'),
      'contact-methods': await first('contact_methods'),
    },
  });
});
after(async () => {
  t.receiver.inbox.takeAll();
  await t.end();
});

/** Field and parameter names of all routes, with values that some route may accept. */
const FIELDS = (): Record<string, unknown> => ({
  ...{
    text: 'x',
    name: 'x',
    title: 'x',
    slug: 'y',
    kind: 'team',
    recipient: 'sre',
    team: 'sre',
    type: 'custom',
  },
  ...{
    email: 'x@example.com',
    role: 'member',
    required: false,
    enabled: true,
    urgency: 'high',
    draft: 'x',
    note: 'x',
  },
  ...{ start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z', stage: 1, user: t.acme.users.grace },
  ...{ starts_at: '2030-01-01T00:00:00Z', ends_at: '2030-01-02T00:00:00Z', users: [t.acme.users.grace] },
  ...{
    to: t.acme.users.grace,
    with: ids.shifts,
    time_zone: 'Europe/Berlin',
    page: ids.pages,
    value: '+15005550199',
  },
  ...{
    shifts: { every: 'week', handoff: 'Monday 09:00' },
    stages: [{ stage: 1, members: [t.acme.users.ada] }],
  },
  ...{
    schedule: ids.schedules,
    webhook: ids.webhooks,
    ids: [ids.notifications],
    strategy: 'fair',
    wish: 'x',
  },
  ...{
    from: '2030-01-01T00:00:00Z',
    before: 'x',
    after: 'x',
    limit: 10,
    q: 'x',
    state: 'open',
    up_to: 1,
    rules: [],
  },
  ...{
    weights: {},
    limits: {},
    rest_hours: 8,
    plan_ahead_weeks: 4,
    url: 'https://example.com/x.ics',
    content: 'BEGIN:VCALENDAR',
  },
  ...{
    csv: 'email,start_time\nada@example.com,2030-01-01',
    settings: {},
    expires_at: '2030-01-01T00:00:00Z',
    scopes: ['pages'],
  },
  ...{
    endpoint: 'https://push.example.com/x',
    keys: { p256dh: 'x', auth: 'x' },
    code: '000000',
    token: 'x',
    answer: {},
    period: 'month',
  },
});

function bodies(): fc.Arbitrary<Record<string, unknown>> {
  const known = FIELDS();
  const name = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...Object.keys(known)) }, hostileText);
  const bent = fc.dictionary(name, fc.oneof(hostileValue, fc.array(hostileValue, { maxLength: 3 })), {
    ...{ maxKeys: 6, noNullPrototype: true },
  });
  const left = fc.subarray(Object.keys(known));
  return fc.tuple(left, bent).map(([kept, other]) => ({
    ...Object.fromEntries(kept.map((one) => [one, known[one]])),
    ...other,
  }));
}

it(`answers any request of the dashboard, ${EACH} times for each route (seed ${SEED})`, async () => {
  const routes = [...t.app.base.routeTable]
    .filter(([path]) => path.startsWith('/api/') && !path.startsWith('/api/v2/'))
    .flatMap(([path, methods]) => [...methods].map((method) => ({ method, path })))
    .filter(({ method, path }) => method !== 'HEAD' && !LEFT_OUT.includes(`${method} ${path}`));
  const id = fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, hostileText);
  const request = fc.record({ body: bodies(), query: bodies(), id });
  const complaints: string[] = [];
  for (const [index, { method, path }] of routes.entries())
    for (const given of fc.sample(request, { numRuns: EACH, seed: SEED + index })) {
      const url = aimed(path, given.id) + (method === 'GET' ? `?${search(given.query)}` : '');
      const payload = JSON.stringify(given.body);
      const headers = {
        cookie: ada.cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      };
      const answer = await t.app.base.inject({
        ...{ method: method as 'GET', url, headers },
        ...(method === 'GET' ? {} : { payload }),
      });
      if (answer.statusCode >= 500 && answer.statusCode !== 503)
        complaints.push(`${answer.statusCode} ${method} ${url} ${payload.slice(0, 1_500)}`);
    }
  assert.deepEqual(complaints.slice(0, 10), []);
});

function aimed(path: string, hostile: string | null): string {
  const parts = path.split('/');
  return parts
    .map((part, index) => {
      if (!part.startsWith(':')) return part;
      const text = hostile === null ? (ids[parts[index - 1] ?? ''] ?? 'page_1') : hostile.slice(0, 200);
      return encodeURIComponent(text.toWellFormed()) || 'x';
    })
    .join('/');
}

function search(query: Record<string, unknown>): string {
  return Object.entries(query)
    .slice(0, 8)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
    .map(
      ([name = '', value = '']) =>
        `${encodeURIComponent(name.slice(0, 100).toWellFormed())}=${encodeURIComponent(value.slice(0, 300).toWellFormed())}`,
    )
    .join('&');
}
