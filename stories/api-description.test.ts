import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type Story, story, webhookPeople } from '../testing/story.ts';

type Fields = Record<string, unknown>;
type Parameter = Fields & { name: string; in: string; schema: Fields };
type Described = {
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Fields> };
  responses: Record<string, { description: string; headers?: Fields; content: Fields }>;
};

/** Paths below it are page sources, which answer as other tools do; they do not belong to the dashboard's API. */
const DIALECT = '/api/v2/';

describe('the description of the API', () => {
  let t: Story;
  let operations: [name: string, described: Described][];
  let schemas: Record<string, { properties: Record<string, Fields>; required: string[] }>;
  let text: string;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
      }),
    });
    const { body } = await t.get('/openapi.json');
    text = JSON.stringify(body);
    const { paths, components } = body as {
      paths: Record<string, Record<string, Described>>;
      components: { schemas: typeof schemas };
    };
    schemas = components.schemas;
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]): [string, Described] => [
        `${method.toUpperCase()} ${path}`,
        one,
      ]),
    );
  });
  after(() => t.end());

  const operation = (name: string): Described => {
    const found = operations.find(([one]) => one === name);
    assert.ok(found, name);
    return found[1];
  };
  const parameter = (name: string, of: string): Parameter => {
    const found = operation(of).parameters?.find((one) => one.name === name);
    assert.ok(found, `${of} ${name}`);
    return found;
  };

  it('is rendered once, because anybody may request it repeatedly', async () => {
    for (const path of ['/openapi.json', '/openapi-dashboard.json']) {
      const first = await (await fetch(t.url + path)).text();
      const { swagger, dashboardDescription } = t.app.base;
      const again = () => assert.fail(`${path} is rendered again`);
      Object.assign(t.app.base, { swagger: again, dashboardDescription: again });
      const second = await fetch(t.url + path);
      Object.assign(t.app.base, { swagger, dashboardDescription });
      assert.equal(second.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(await second.text(), first);
    }
  });

  it('has every public operation, and no broken references', () => {
    assert.deepEqual(operations.map(([name]) => name).sort(), [
      'GET /heartbeat/{token}',
      'GET /request/{id}/status',
      'GET /schedules',
      'GET /schedules/{id}/oncalls',
      'POST /availabilities/upload',
      'POST /heartbeat/{token}',
      'POST /moment/{token}',
      'POST /moment/{token}/{integration}',
      'POST /page/acknowledge',
      'POST /page/person',
      'POST /page/resolve',
      'POST /page/team',
      'POST /page/{token}',
      'POST /page/{token}/{type}',
    ]);
    const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name ?? '',
    );
    for (const name of names) assert.ok(schemas[name], name);
    // Keywords that only our own validator knows are not published.
    assert.doesNotMatch(text, /x-published|x-one-line|"format":"(instant|http-url|text|optional-text)"/);
  });

  it('describes the dashboard in a separate document, with the fields of every answer', async () => {
    const { status, body } = await t.get('/openapi-dashboard.json');
    assert.equal(status, 200);
    const { paths } = body as { paths: Record<string, Record<string, Described>> };
    assert.deepEqual(
      Object.keys(paths).filter((path) => !path.startsWith('/api/')),
      [],
    );
    const { get, post } = paths['/api/keys'] ?? {};
    assert.ok(get?.responses['200']?.content['application/json'], JSON.stringify(get));
    assert.equal(post?.requestBody?.required, true);
    // It accepts no idempotency keys.
    assert.deepEqual(post?.parameters ?? [], []);
    assert.doesNotMatch(
      JSON.stringify(body),
      /x-published|x-one-line|"format":"(instant|http-url|text|optional-text)"/,
    );
  });

  it('describes every route of the dashboard', async () => {
    const { body } = await t.get('/openapi-dashboard.json');
    const { paths } = body as { paths: Record<string, Record<string, Described>> };
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const missing = [...t.app.base.routeTable]
      .filter(([path]) => path.startsWith('/api/') && !path.startsWith(DIALECT))
      .flatMap(([path, methods]) => [...methods].map((method) => ({ method, path })))
      .filter(({ method }) => method !== 'HEAD')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
      .filter((name) => !described.includes(name));
    assert.deepEqual(missing, []);
  });

  it('documents that a range is written as time_range[start], and that pages may be left out', () => {
    const range = parameter('time_range', 'GET /schedules/{id}/oncalls');
    assert.equal(range.style, 'deepObject');
    assert.equal(range.explode, true);
    assert.equal(range.required, false);
    assert.deepEqual(range.schema.required, ['start', 'end']);
    assert.deepEqual((range.schema.properties as Fields).start, { type: 'string', format: 'date-time' });
    for (const reading of ['GET /schedules', 'GET /schedules/{id}/oncalls']) {
      for (const name of ['page', 'per_page'])
        assert.equal(parameter(name, reading).required, false, `${reading} ${name}`);
      const { required, content } = operation(reading).requestBody ?? { required: true, content: {} };
      assert.equal(required, false);
      assert.deepEqual(Object.keys(content), ['application/json', 'application/x-www-form-urlencoded']);
    }
    const wait = parameter('wait', 'GET /request/{id}/status');
    assert.deepEqual(wait.schema, { type: 'number', minimum: 0, maximum: 30 });
  });

  it('documents the accepted and returned headers, and the meaning of every status', () => {
    for (const [name, { parameters = [], responses }] of operations) {
      const key = parameters.find((one) => one.name === 'Idempotency-Key');
      assert.equal(key !== undefined, name.startsWith('POST'), name);
      if (key) assert.equal(key.schema.maxLength, 255);
      // The path of a heartbeat is its only credential.
      const isHeartbeat = name.includes('/heartbeat/');
      assert.ok(isHeartbeat || responses['401']?.headers?.['WWW-Authenticate'], name);
      for (const status of ['429', '503']) assert.ok(responses[status]?.headers?.['Retry-After'], name);
      for (const [status, answer] of Object.entries(responses)) {
        assert.notEqual(answer.description, 'Default Response', `${name} ${status}`);
        assert.ok(answer.content['application/json'], `${name} ${status}`);
      }
    }
  });

  it('documents the result of a request: its page or its moments', () => {
    const properties = schemas.RequestStatus?.properties ?? {};
    assert.match(JSON.stringify(properties.page), /components\/schemas\/Page"/);
    assert.match(JSON.stringify(properties.moments), /components\/schemas\/Moment"/);
    assert.deepEqual(properties.created_at, { type: 'string', format: 'date-time' });
    assert.deepEqual(schemas.Person?.properties.email, { type: 'string', format: 'email' });
  });

  it('is correct where programs found mistakes', async () => {
    // The body is checked even if its values have no effect because the query has the same ones.
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const hidden = await send('GET', '/schedules?per_page=25', form, 'per_page=101');
    assert.equal(hidden.status, 400);
    assert.deepEqual(JSON.parse(hidden.text).details, [
      { field: 'per_page', message: 'per_page is 101, out of range; give a whole number from 1 to 100.' },
    ]);
    const ids = await t.db.selectFrom('schedules').select('id').executeTakeFirstOrThrow();
    const whole = 'time_range[start]=2026-12-01T00:00:00Z&time_range[end]=2026-12-02T00:00:00Z';
    const half = 'time_range[start]=2026-12-01T00:00:00Z';
    const oncalls = (query: string, body: string) =>
      send('GET', `/schedules/${ids.id}/oncalls?${query}`, form, body);
    assert.equal((await oncalls(whole, half)).status, 400);
    assert.equal((await oncalls(half, 'time_range[end]=2026-12-02T00:00:00Z')).status, 200);
    // Known paths do not accept other methods with a body, whatever the body is.
    const query = await send('QUERY', '/schedules');
    assert.equal(query.status, 405);
    assert.equal(query.allow, 'GET, HEAD');
    const { body } = await t.post('/page/team', { recipient: 'sre', title: 'Disk full', text: 'db-1' });
    assert.equal((await t.get(`/request/${body.service_request_id}/status?wait=1e-05`)).status, 200);
    await t.settle();
    await t.notified('ada');
  });

  /** A request that `fetch` would refuse to send. */
  function send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body = '',
  ): Promise<{ status: number; allow: string | undefined; text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number;
      allow: string | undefined;
      text: string;
    }>();
    const outgoing = request(
      t.url + path,
      {
        method,
        headers: {
          ...headers,
          authorization: `Bearer ${t.acme.key}`,
          'content-length': Buffer.byteLength(body),
        },
      },
      async (answer) => {
        const chunks = await answer.toArray();
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, allow: answer.headers.allow, text });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
    return promise;
  }
});
