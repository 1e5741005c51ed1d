import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { TOOLS } from '../src/http/mcp/tools.ts';
import { newId } from '../src/kit/typeid.ts';
import { rowOf } from '../src/people/rights.ts';
import { applyText } from '../testing/apply-text.ts';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Planned shifts have a reason. */
const FAIR = `
organization: { name: Acme }
schedules:
  - name: Web
    team: web
    strategy: fair
    plan_ahead_weeks: 8
    shifts: { every: week, handoff: "Monday 09:00" }
    stages: [{ stage: 1, members: [ada@example.com, grace@example.com, edsger@example.com] }]
`;

describe('the Model Context Protocol', () => {
  let t: Story;
  let evil: Organization;
  let ada: SignedIn;
  let keys: { both: string; reading: string; writing: string; plain: string; full: string; evil: string };
  const open: Client[] = [];

  before(async () => {
    t = await story({
      env: { RATE_LIMIT_PER_SECOND: '1000' },
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace', 'edsger'),
        teams: {
          sre: {
            members: ['ada', 'grace'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'grace' }],
          },
          web: { members: ['ada', 'grace', 'edsger'] },
        },
      }),
    });
    await applyText(t, FAIR);
    evil = await seedOrganization(t, { people: { eve: {} }, teams: { evil: { members: ['eve'] } } }, 'Evil');
    ada = await signIn(t, 'ada');
    const eve = await signIn({ ...t, acme: evil }, 'eve');
    keys = {
      both: await keyOf(ada, { scopes: ['mcp:read', 'mcp:write'] }),
      reading: await keyOf(ada, { scopes: ['mcp:read'] }),
      writing: await keyOf(ada, { scopes: ['mcp:write'] }),
      plain: await keyOf(ada, {}),
      full: await keyOf(ada, { full: true }),
      evil: await keyOf(eve, { scopes: ['mcp:read', 'mcp:write'] }),
    };
  });
  after(async () => {
    for (const client of open) await client.close();
    t.receiver.inbox.takeAll();
    await t.end();
  });

  async function keyOf(who: SignedIn, about: object): Promise<string> {
    const { status, body } = await who.call('POST', '/api/keys', { name: 'agent', ...about });
    assert.equal(status, 200, JSON.stringify(body));
    return body.key;
  }

  async function connect(key: string): Promise<Client> {
    const client = new Client({ name: 'story', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${t.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    });
    await client.connect(transport);
    open.push(client);
    return client;
  }

  async function call(
    client: Client,
    name: string,
    given: Record<string, unknown> = {},
  ): Promise<{ refused: boolean; text: string }> {
    const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
    const [content] = result.content;
    assert.ok(content?.type === 'text');
    return { refused: result.isError === true, text: content.text };
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
  async function answer(client: Client, name: string, given: Record<string, unknown> = {}): Promise<any> {
    const { refused, text } = await call(client, name, given);
    assert.equal(refused, false, `${name}: ${text}`);
    return JSON.parse(text);
  }

  async function things() {
    const shift = await t.db
      .selectFrom('shifts')
      .innerJoin('schedules', 'schedules.id', 'shifts.schedule_id')
      .select(['shifts.id', 'schedule_id', 'starts_at'])
      .where('schedules.name', '=', 'Web')
      .where('user_id', '=', t.acme.users.ada ?? '')
      .where('starts_at', '>', await t.clock.now(t.db))
      .orderBy('starts_at')
      .executeTakeFirstOrThrow();
    const hour = (from: number) => ({
      starts_at: shift.starts_at.add({ hours: from }).toString(),
      ends_at: shift.starts_at.add({ hours: from + 1 }).toString(),
    });
    const span = { from: shift.starts_at.toString(), to: shift.starts_at.add({ hours: 48 }).toString() };
    return { schedule: shift.schedule_id, shift: shift.id, span, later: hour(1), evenLater: hour(4) };
  }

  it('lists every tool with its arguments, and names show which tools change something', async () => {
    const client = await connect(keys.reading);
    assert.equal(client.getServerVersion()?.name, 'tocsin');
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      TOOLS.map(({ name }) => name),
    );
    for (const { name, description, inputSchema, annotations } of tools) {
      assert.ok(description?.endsWith('.'), name);
      assert.equal(inputSchema.type, 'object');
      const text = JSON.stringify(inputSchema);
      // Clients know only the formats of JSON Schema.
      assert.doesNotMatch(text, /"format":"(?!date-time|uri|email)|x-one-line|\$ref/, name);
      const route = TOOLS.find((tool) => tool.name === name) ?? assert.fail();
      const scope = annotations?.readOnlyHint ? 'mcp:read' : 'mcp:write';
      assert.equal(rowOf(route.method, route.path)?.scope, scope, name);
    }
    const override = tools.find(({ name }) => name === 'override');
    assert.deepEqual(override?.inputSchema.required, ['id', 'stage', 'user', 'starts_at', 'ends_at']);
  });

  it('answers who is on call and why, which pages are open, and where gaps are', async () => {
    const client = await connect(keys.reading);
    const { schedule, shift, span } = await things();
    const { page } = await t.status(await t.page('team', 'sre', { title: 'Disk full' }));
    const now = await answer(client, 'who_is_on_call');
    const sre = now.teams.find(({ slug }: { slug: string }) => slug === 'sre');
    assert.equal(sre.schedules[0].stages[0].now[0].person.email, 'ada@example.com');
    const listed = await answer(client, 'list_pages', { state: 'open', limit: 10 });
    assert.deepEqual(
      listed.pages.map(({ title }: { title: string }) => title),
      ['Disk full'],
    );
    const shown = await answer(client, 'show_page', { id: page.id });
    assert.ok(shown.timeline.some(({ kind }: { kind: string }) => kind === 'notified'));
    assert.ok((await answer(client, 'list_teams')).teams.length >= 2);
    assert.ok(JSON.stringify(await answer(client, 'list_people')).includes('grace@example.com'));
    assert.ok(JSON.stringify(await answer(client, 'list_schedules')).includes(schedule));
    const shifts = await answer(client, 'list_shifts', { id: schedule, ...span });
    assert.ok(JSON.stringify(shifts).includes(shift));
    assert.ok(Array.isArray((await answer(client, 'list_coverage_gaps', { id: schedule })).gaps));
    await answer(client, 'list_uncovered_hours', { id: schedule, ...span });
    const { reason } = await answer(client, 'explain_shift', { id: shift });
    assert.match(JSON.stringify(reason), /ada/i);
    assert.ok((await answer(client, 'list_candidates', { id: shift })).candidates.length > 0);
    assert.deepEqual((await answer(client, 'list_covers', { id: schedule })).covers, []);
    assert.deepEqual(
      (await answer(client, 'list_covers', { id: schedule, state: ['open', 'proposed'] })).covers,
      [],
    );
    await t.notified('ada');
  });

  it('pages, acknowledges, overrides and covers with a suitable key, and records it as its owner', async () => {
    const client = await connect(keys.both);
    const { schedule, shift, later, evenLater } = await things();
    const raised = await answer(client, 'page', {
      kind: 'team',
      recipient: 'sre',
      title: 'Fire',
      text: 'db-1',
    });
    await t.settle();
    const [sent] = await t.notified('ada');
    assert.equal(sent?.body.title, 'Fire');
    await answer(client, 'acknowledge_page', { id: raised.page_id });
    const { pages } = await answer(client, 'list_pages', { state: 'acknowledged' });
    assert.equal(pages[0].acknowledged_by.email, 'ada@example.com');
    const cover = await answer(client, 'look_for_cover', { id: shift, ...evenLater, note: 'Dentist' });
    assert.equal(cover.cover.person.email, 'ada@example.com');
    const listed = await answer(client, 'list_covers', { id: schedule });
    assert.deepEqual(
      listed.covers.map(({ id }: { id: string }) => id),
      [cover.cover.id],
    );
    const grace = await signIn(t, 'grace');
    const ofGrace = await connect(await keyOf(grace, { scopes: ['mcp:read', 'mcp:write'] }));
    const taken = await answer(ofGrace, 'take_cover', { id: cover.cover.id });
    assert.equal(taken.cover.taken_by.email, 'grace@example.com');
    const made = await answer(client, 'override', {
      id: schedule,
      stage: 1,
      user: t.acme.users.ada,
      ...later,
    });
    assert.ok(made.message);
    const log = await t.db
      .selectFrom('audit_log')
      .select(['action', 'user_id'])
      .where('user_id', 'in', [t.acme.users.ada ?? '', t.acme.users.grace ?? ''])
      .where('action', 'not like', 'key.%')
      .execute();
    assert.ok(
      log.some(({ action }) => action.startsWith('override.')),
      JSON.stringify(log),
    );
    await t.resolveAcknowledged();
    await t.settle();
    t.receiver.inbox.takeAll();
  });

  it('changes nothing with a key that may only read', async () => {
    const client = await connect(keys.reading);
    const { schedule, shift, later } = await things();
    const { page } = await t.status(await t.page('team', 'sre', { title: 'Quiet' }));
    await t.notified('ada');
    const before = await everything();
    const given: Record<string, Record<string, unknown>> = {
      page: { kind: 'team', recipient: 'sre', title: 'x', text: 'x' },
      acknowledge_page: { id: page.id },
      override: { id: schedule, stage: 1, user: t.acme.users.ada, ...later },
      look_for_cover: { id: shift },
      take_cover: { id: newId('cover') },
    };
    for (const { name, method } of TOOLS.filter((tool) => tool.method !== 'GET')) {
      const { refused, text } = await call(client, name, given[name] ?? assert.fail(`${name} is not tried`));
      assert.ok(refused && text.includes('without the scope \\"mcp:write\\"'), `${method} ${name}: ${text}`);
    }
    assert.equal(await everything(), before);
    const direct = await t.post('/api/pages', given.page, { authorization: `Bearer ${keys.reading}` });
    assert.equal(direct.status, 403);
    // Its scopes allow nothing else.
    for (const path of ['/api/audit', '/api/profile', '/api/keys', '/schedules'])
      assert.equal((await t.get(path, keys.both)).status, 403, path);
  });

  async function everything(): Promise<string> {
    const tables = ['pages', 'page_events', 'overrides', 'covers', 'shifts', 'audit_log'] as const;
    const rows = await Promise.all(
      tables.map((table) =>
        t.db
          .selectFrom(table as 'pages')
          .selectAll()
          .execute(),
      ),
    );
    return JSON.stringify(rows);
  }

  it('is closed to other keys and without a key', async () => {
    for (const key of [keys.plain, keys.writing, 'tocsin_nothing']) await assert.rejects(connect(key), key);
    const silent = await t.post('/mcp', {}, { authorization: '' });
    assert.equal(silent.status, 401);
    const full = await connect(keys.full);
    assert.ok((await answer(full, 'list_pages')).pages.length > 0);
    const get = await t.get('/mcp', keys.both);
    assert.equal(get.status, 405);
  });

  it('shows and changes nothing of another organization', async () => {
    const eve = await connect(keys.evil);
    const { schedule, shift, span, later } = await things();
    const { pages } = await answer(await connect(keys.reading), 'list_pages', { state: 'all' });
    const before = await everything();
    const foreign: [string, Record<string, unknown>][] = [
      ['show_page', { id: pages[0].id }],
      ['acknowledge_page', { id: pages[0].id }],
      ['list_shifts', { id: schedule, ...span }],
      ['list_coverage_gaps', { id: schedule }],
      ['list_uncovered_hours', { id: schedule, ...span }],
      ['list_covers', { id: schedule }],
      ['explain_shift', { id: shift }],
      ['list_candidates', { id: shift }],
      ['look_for_cover', { id: shift }],
      ['override', { id: schedule, stage: 1, user: evil.users.eve, ...later }],
      ['page', { kind: 'team', recipient: 'sre', title: 'x', text: 'x' }],
    ];
    for (const [name, given] of foreign) {
      const { refused, text } = await call(eve, name, given);
      assert.ok(refused && !text.includes('ada@example.com'), `${name}: ${text}`);
    }
    assert.equal(await everything(), before);
    for (const name of ['who_is_on_call', 'list_pages', 'list_teams', 'list_people', 'list_schedules']) {
      const { text } = await call(eve, name);
      assert.doesNotMatch(text, /ada@example|SRE|Disk full/, name);
    }
  });

  it('names wrong arguments, and reaches no other routes', async () => {
    const client = await connect(keys.both);
    assert.match(
      (await call(client, 'show_page')).text,
      /^id is missing; give the id of a page, from list_pages\.$/,
    );
    for (const id of ['..', '../teams', 'a/b', '', 7])
      assert.match((await call(client, 'show_page', { id })).text, /^id is no id/);
    assert.match(
      (await call(client, 'list_teams', { sort: 'x' })).text,
      /^sort is not an argument of list_teams; it has none\.$/,
    );
    const page = await call(client, 'page', { kind: 'crowd', recipient: 'sre', title: 'x', text: 'x' });
    assert.match(page.text, /kind is \\"crowd\\"/);
    assert.match((await call(client, 'burn_down')).text, /^There is no tool burn_down/);
    const many = Array.from({ length: 3 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
    const batch = await t.post('/mcp', many, {
      authorization: `Bearer ${keys.both}`,
      accept: 'application/json, text/event-stream',
    });
    assert.equal(batch.status, 400);
    assert.match(JSON.stringify(batch.body), /is a batch/);
  });
});
