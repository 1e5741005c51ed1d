/** Texts that PostgreSQL cannot store, in every text field of every operation that the service describes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Description,
  type Operation,
  operationsOf,
  type Schema,
} from '../testing/fuzz/described-api.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

type Broken = { text: string; escaped: string };
const NUL: Broken = { text: 'a\0b', escaped: 'a%00b' };
/** Half of an emoji, as senders leave it when they truncate a text. In an address it is invalid UTF-8. */
const HALF: Broken = { text: 'a\ud800b', escaped: 'a%ed%a0%80b' };
/** Operations that would end the story, or that never end. */
const LEFT_OUT = ['DELETE /api/session', 'GET /api/events', 'POST /api/people/{id}/disable'];

describe('a text that cannot be stored', () => {
  let t: Story;
  let ada: SignedIn;
  const ids: Record<string, string> = {};
  let fields: Record<string, unknown>;

  before(async () => {
    t = await story({
      env: { RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000', LOG_LEVEL: 'fatal' },
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
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    ada = await signIn(t, 'ada');
    const { page } = await t.status(await t.page('team', 'sre'));
    const webhook = (await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'w', type: 'custom' }))
      .body;
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
      ...{
        pages: page.id,
        webhooks: webhook.id,
        teams: t.acme.teams.sre,
        schedules: await first('schedules'),
      },
      ...{ people: t.acme.users.grace, members: t.acme.users.grace, shifts: await first('shifts') },
      ...{ moments: await first('moments'), notifications: await first('received_notifications') },
      ...{ 'contact-methods': await first('contact_methods'), 'notification-rules': 'high' },
    });
    fields = {
      ...{
        recipient: 'sre',
        team: 'sre',
        user: t.acme.users.grace,
        users: [t.acme.users.grace],
        page: page.id,
      },
      ...{ schedule: ids.schedules, webhook: ids.webhooks, to: t.acme.users.grace, with: ids.shifts },
      ...{ time_zone: 'Europe/Berlin', email: 'x@example.com', url: 'https://example.com/x.ics' },
      ...{ start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z', from: '2030-01-01T00:00:00Z' },
      ...{ starts_at: '2030-01-01T00:00:00Z', ends_at: '2030-01-02T00:00:00Z', person: t.acme.users.grace },
    };
  });
  after(async () => {
    t.receiver.inbox.takeAll();
    await t.end();
  });

  /** A valid value. Known fields name something that exists. */
  function example(schema: Schema, name = ''): unknown {
    const type = [schema.type].flat()[0];
    if (schema.enum) return schema.enum[0];
    if (name in fields && (type === 'string' || type === 'array')) return fields[name];
    if (schema.anyOf) return example(schema.anyOf[0] ?? {}, name);
    if (schema.properties)
      return Object.fromEntries(
        Object.entries(schema.properties).map(([field, inner]) => [field, example(inner, field)]),
      );
    if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
    if (type === 'boolean') return false;
    if (type === 'array') return [example(schema.items ?? {}, name)];
    if (schema.format === 'date-time') return '2030-01-01T00:00:00Z';
    return 'x'.repeat(Math.max(1, schema.minLength ?? 1));
  }

  /** The same value, once for each text inside it, with `text` in that place. */
  function* spoiled(value: unknown, text: string): Generator<unknown> {
    if (typeof value === 'string') yield text;
    else if (Array.isArray(value))
      for (const [index, inner] of value.entries())
        for (const one of spoiled(inner, text)) yield value.with(index, one);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value))
        for (const one of spoiled(inner, text)) yield { ...value, [name]: one };
  }

  type Sent = { place: string; url: string; body?: unknown };

  /** One request for each text of the operation. `escaped`: the text in an address. */
  function requestsTo({ path, parameters, bodies }: Operation, { text, escaped }: Broken): Sent[] {
    const parts = path.split('/');
    const urlWith = (spoiledName: string | null) =>
      parts
        .map((part, index) => {
          if (!part.startsWith('{')) return part;
          return part === `{${spoiledName}}` ? escaped : (ids[parts[index - 1] ?? ''] ?? 'page_1');
        })
        .join('/');
    const schema = bodies['application/json'];
    const body = schema && example(schema);
    const inBody = schema ? [...spoiled(body, text)] : [];
    return [
      ...parameters.flatMap(({ in: where, name, schema: of }): Sent[] => {
        if (where === 'path') return [{ place: `path ${name}`, url: urlWith(name), body }];
        if (where !== 'query') return [];
        const fields = of.properties ? Object.keys(of.properties).map((one) => `${name}[${one}]`) : [name];
        return fields.map((field) => ({
          place: `query ${field}`,
          url: `${urlWith(null)}?${encodeURIComponent(field)}=${escaped}`,
          body: undefined,
        }));
      }),
      ...inBody.map((one) => ({ place: `body ${JSON.stringify(one)}`, url: urlWith(null), body: one })),
    ];
  }

  async function statusOf({ method, elsewhere }: Operation, { url, body }: Sent, headers: object) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const listener = (elsewhere ? t.app.upload : null) ?? t.app.base;
    const sent = { method: method as 'GET', url, headers: { ...headers, ...type }, ...payload };
    return (await listener.inject(sent)).statusCode;
  }

  /** The answers of every operation of a description, each with the place of the text. */
  async function answersOf(description: string, broken: Broken, headers: object) {
    const described = (await (await fetch(t.url + description)).json()) as Description;
    const answers: { line: string; status: number }[] = [];
    for (const operation of operationsOf(described)) {
      if (LEFT_OUT.includes(operation.name)) continue;
      for (const sent of requestsTo(operation, broken)) {
        const status = await statusOf(operation, sent, headers);
        answers.push({ line: `${status} ${operation.name} ${sent.place}`, status });
      }
    }
    return answers;
  }

  const DESCRIPTIONS = [
    ['/openapi.json', () => ({ authorization: `Bearer ${t.acme.key}` })],
    ['/openapi-dashboard.json', () => ({ cookie: ada.cookie, 'sec-fetch-site': 'same-origin' })],
  ] as const;
  for (const [description, headers] of DESCRIPTIONS) {
    it(`with a NUL is refused in every place of ${description}`, async () => {
      const answers = await answersOf(description, NUL, headers());
      assert.ok(answers.length > 50, `${answers.length} requests`);
      assert.deepEqual(
        answers.filter(({ status }) => status < 400 || status >= 500).map(({ line }) => line),
        [],
      );
    });

    it(`with half a character never causes an internal error, in any place of ${description}`, async () => {
      const answers = await answersOf(description, HALF, headers());
      assert.deepEqual(
        answers.filter(({ status }) => status >= 500).map(({ line }) => line),
        [],
      );
    });
  }

  it('is refused as the id of a page that is linked to a moment', async () => {
    const moment = String(ids.moments);
    const link = (page: string) => ada.call('POST', `/api/moments/${moment}/pages`, { page });
    const refused = await link('page_\0');
    assert.deepEqual([refused.status, refused.body.details[0].field], [400, 'page']);
    assert.match(refused.body.details[0].message, /NUL/);
    assert.equal((await link('page_\ud800')).status, 400);
    assert.equal((await link(String(ids.pages))).status, 200);
  });
});
