/** Senders of other products that were given our address and know nothing else about us. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { lockWebhooks } from '../src/moments/store.ts';
import { DIALECTS, type Dialect } from '../src/sources/contract.ts';
import type { Story } from '../testing/story.ts';
import { twoStageStory } from '../testing/two-stage-story.ts';

type Sent = { method?: string; headers?: Record<string, string>; body?: unknown };
type Got = { status: number; headers: Headers; text: string; body: Record<string, unknown> };
type PageState = { id: string; state: string; title: string; urgency: string; dedup_key: string | null };

describe('a sender of another product', () => {
  let t: Story;
  const keys = new Map<Dialect, string>();
  const ids = new Map<Dialect, string>();

  before(async () => {
    t = await twoStageStory();
    for (const type of DIALECTS) {
      const source = await t.source({ team: 'sre', type, name: type });
      keys.set(type, source.key ?? '');
      ids.set(type, source.id);
    }
  });
  after(async () => {
    t.receiver.inbox.takeAll();
    await t.end();
  });

  const keyOf = (type: Dialect) => keys.get(type) ?? '';

  async function send(path: string, { method = 'POST', headers = {}, body }: Sent = {}): Promise<Got> {
    const response = await fetch(t.url + path, {
      method,
      redirect: 'manual',
      headers: { ...(typeof body === 'string' ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined
        ? {}
        : { body: body instanceof Buffer || typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text.startsWith('{');
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  }

  /** The pages of a dedup key, newest first. */
  async function pagesOf(dedupKey: string): Promise<PageState[]> {
    await t.settle();
    t.receiver.inbox.takeAll();
    return t.db
      .selectFrom('pages')
      .select(['id', 'state', 'title', 'urgency', 'dedup_key'])
      .where('dedup_key', '=', dedupKey)
      .orderBy('id', 'desc')
      .execute();
  }
  const states = async (dedupKey: string) => (await pagesOf(dedupKey)).map(({ state }) => state);

  const event = (more: Record<string, unknown> = {}) => ({
    ...{ routing_key: keyOf('pagerduty-events'), event_action: 'trigger', dedup_key: 'disk/db-1' },
    payload: { summary: 'db-1: disk 98 %', source: 'db-1', severity: 'critical' },
    ...more,
  });

  describe('of PagerDuty', () => {
    it('pages once, acknowledges and resolves, and begins again', async () => {
      const processed = { status: 'success', message: 'Event processed', dedup_key: 'disk/db-1' };
      for (const path of ['/v2/enqueue', '/v2/enqueue/']) {
        const { status, body } = await send(path, { body: event() });
        assert.deepEqual([status, body], [202, processed]);
      }
      const [page, ...others] = await pagesOf('disk/db-1');
      assert.deepEqual([page?.state, page?.title, page?.urgency], ['notifying', 'db-1: disk 98 %', 'high']);
      assert.equal(others.length, 0);
      for (const [event_action, state] of [
        ['acknowledge', 'acknowledged'],
        ['trigger', 'acknowledged'],
        ['resolve', 'resolved'],
        ['resolve', 'resolved'],
        ['acknowledge', 'resolved'],
      ] as const) {
        const { status, body } = await send('/v2/enqueue', { body: event({ event_action }) });
        assert.deepEqual([status, body], [202, processed]);
        assert.deepEqual(await states('disk/db-1'), [state], event_action);
      }
      await send('/v2/enqueue', { body: event() });
      assert.deepEqual(await states('disk/db-1'), ['notifying', 'resolved']);
      await send('/v2/enqueue', { body: event({ event_action: 'resolve' }) });
    });

    it('gets a key for an event without one, and may send its own key in a header, without a content type, or compressed', async () => {
      const { routing_key: key, dedup_key: _, ...rest } = event();
      const body = gzipSync(
        JSON.stringify({ ...rest, routing_key: null, images: null, links: null, client: null }),
      );
      const headers = { 'x-routing-key': key, 'content-encoding': 'gzip', 'content-type': 'nonsense' };
      const answer = await send('/v2/enqueue', { headers, body });
      assert.equal(answer.status, 202, answer.text);
      const made = String(answer.body.dedup_key);
      assert.match(made, /^[0-9a-f]{32}$/);
      assert.deepEqual(await states(made), ['notifying']);
      await send('/v2/enqueue', { body: event({ event_action: 'resolve', dedup_key: made, payload: null }) });
      assert.deepEqual(await states(made), ['resolved']);
    });

    it('is refused in PagerDuty’s own words', async () => {
      const refusals: [unknown, string, string, RegExp][] = [
        [
          '{"routing_key"',
          'Unrecognized object',
          'Event object format is unrecognized',
          /^JSON parse error$/,
        ],
        [
          event({ routing_key: '' }),
          'invalid event',
          'Event object is invalid',
          /^'routing_key' is missing or blank$/,
        ],
        [
          event({ routing_key: '0'.repeat(32) }),
          'invalid event',
          'Event object is invalid',
          /^routing_key is not known here$/,
        ],
        [
          event({ event_action: null }),
          'invalid event',
          'Event object is invalid',
          /^'event_action' is missing or blank$/,
        ],
        [
          event({ payload: {} }),
          'invalid event',
          'Event object is invalid',
          /^'payload\.summary' is missing or blank$/,
        ],
        [
          event({ event_action: 'resolve', dedup_key: '' }),
          'invalid event',
          'Event object is invalid',
          /^'dedup_key' is missing or blank$/,
        ],
      ];
      for (const [body, status, message, error] of refusals) {
        const answer = await send('/v2/enqueue', { body });
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual([answer.body.status, answer.body.message], [status, message]);
        const errors = answer.body.errors as string[];
        assert.ok(errors.length === 1 && error.test(errors[0] ?? ''), answer.text);
      }
    });

    it('of version 1 gets its answers', async () => {
      const v1 = {
        service_key: keyOf('pagerduty-events'),
        incident_key: 'v1',
        event_type: 'trigger',
        description: 'Load',
      };
      const path = '/generic/2010-04-15/create_event.json';
      const { status, body } = await send(path, { body: { ...v1, event_action: '', payload: null } });
      assert.deepEqual(
        [status, body],
        [200, { status: 'success', message: 'Event processed', incident_key: 'v1' }],
      );
      assert.deepEqual(await states('v1'), ['notifying']);
      await send(`${path}/`, { body: { ...v1, event_type: 'resolve', description: null } });
      assert.deepEqual(await states('v1'), ['resolved']);
      const refused = await send(path, { body: { ...v1, description: '' } });
      assert.deepEqual([refused.status, refused.body.errors], [400, ['Description is missing or blank']]);
    });

    it('reports changes, which page nobody', async () => {
      const { event_action: _, dedup_key: __, ...change } = event();
      const before = await t.db.selectFrom('pages').select('id').execute();
      const { status, body } = await send('/v2/change/enqueue', { body: change });
      assert.deepEqual([status, body], [202, { status: 'success', message: 'Change event processed' }]);
      await t.settle();
      assert.equal((await t.db.selectFrom('pages').select('id').execute()).length, before.length);
    });

    it('never leaves its key in received calls that people read', async () => {
      const rows = await t.db.selectFrom('received_notifications').select(['body', 'headers']).execute();
      assert.ok(rows.length > 0);
      for (const { body, headers } of rows)
        for (const key of keys.values()) assert.ok(!`${body}${JSON.stringify(headers)}`.includes(key));
    });
  });

  describe('of Opsgenie', () => {
    const auth = () => ({ authorization: `GenieKey ${keyOf('opsgenie-api')}` });
    const call = (path: string, body?: unknown, method = 'POST') =>
      send(path, { method, headers: auth(), body });

    async function outcome(answer: Got): Promise<Record<string, unknown>> {
      assert.equal(answer.status, 202, answer.text);
      const { result, took, requestId } = answer.body;
      assert.equal(result, 'Request will be processed');
      assert.ok(typeof took === 'number' && typeof requestId === 'string');
      assert.equal(answer.headers.get('x-request-id'), requestId);
      await t.settle();
      const status = await call(`/v2/alerts/requests/${requestId}`, undefined, 'GET');
      assert.equal(status.status, 200, status.text);
      return status.body.data as Record<string, unknown>;
    }

    it('creates, acknowledges and closes by alias and id, at both of its addresses', async () => {
      const alias = 'web / checkout: 100% „down“';
      for (const base of ['/v2/alerts', '/jsm/ops/integration/v2/alerts/']) {
        const created = await outcome(await call(base, { message: 'Checkout down', alias, priority: 'P1' }));
        assert.deepEqual([created.success, created.isSuccess, created.action], [true, true, 'Create']);
        assert.deepEqual([created.status, created.alias], ['Created alert', alias]);
        const [page] = await pagesOf(alias);
        assert.deepEqual([page?.id, page?.urgency], [created.alertId, 'high']);
        const again = await outcome(await call(base, { message: 'Still down', alias }));
        assert.deepEqual([again.status, again.alertId], ['Updated alert', page?.id]);
        const plain = base.replace(/\/$/, '');
        const path = `${plain}/${encodeURIComponent(alias)}`;
        const acknowledged = await outcome(
          await call(`${path}/acknowledge?identifierType=alias`, { user: 'Ada' }),
        );
        assert.deepEqual([acknowledged.success, acknowledged.action], [true, 'Acknowledge']);
        const read = await call(`${plain}/${page?.id}`, undefined, 'GET');
        const alert = read.body.data as Record<string, unknown>;
        assert.deepEqual([alert.status, alert.acknowledged, alert.owner], ['open', true, 'Ada']);
        assert.deepEqual([alert.message, alert.count, alert.priority], ['Checkout down', 2, 'P1']);
        const closed = await outcome(await call(`${plain}/${page?.id}/close`, { source: 'x' }));
        assert.deepEqual([closed.success, closed.alias], [true, alias]);
        assert.equal((await states(alias))[0], 'resolved');
        const gone = await outcome(await call(`${path}/close?identifierType=alias`, {}));
        assert.deepEqual([gone.success, gone.status], [false, 'Alert does not exist']);
      }
    });

    it('acknowledges and closes an alert whose page still waits', async () => {
      const { key } = await t.source({ team: 'sre', type: 'opsgenie-api', settings: { wait_minutes: 5 } });
      const headers = { authorization: `GenieKey ${key}` };
      const post = async (path: string, body: unknown) => {
        const { body: sent } = await send(path, { method: 'POST', headers, body });
        await t.settle();
        const read = await send(`/v2/alerts/requests/${sent.requestId}`, { method: 'GET', headers });
        return read.body.data as Record<string, unknown>;
      };
      for (const action of ['acknowledge', 'close']) {
        const alias = `waits for ${action}`;
        assert.equal((await post('/v2/alerts', { message: 'Slow', alias })).success, true);
        const path = `/v2/alerts/${encodeURIComponent(alias)}/${action}?identifierType=alias`;
        const done = await post(path, { note: 'Restarted' });
        assert.deepEqual([done.success, done.status, done.alias], [true, 'Updated alert', alias], action);
        const again = await post(path, {});
        assert.deepEqual([again.success, again.status], [false, 'Alert does not exist']);
        assert.deepEqual(await states(alias), []);
      }
    });

    it('gives an alert without an alias one of its own', async () => {
      const created = await outcome(
        await call('/v2/alerts/', { message: 'No alias', alias: null, priority: null }),
      );
      const alias = String(created.alias);
      assert.deepEqual(await states(alias), ['notifying']);
      await outcome(await call(`/v2/alerts/${created.alertId}?source=x`, undefined, 'DELETE'));
      assert.deepEqual(await states(alias), ['resolved']);
    });

    it('comments, changes words and urgency, escalates, snoozes and adds people', async () => {
      await call('/v2/alerts', { message: 'Slow', alias: 'orders', priority: 'P5' });
      const [page] = await pagesOf('orders');
      const order = (action: string, body: unknown, method = 'POST') =>
        call(`/v2/alerts/orders/${action}?identifierType=alias`, body, method);
      for (const [action, method, body] of [
        ['message', 'PUT', { message: 'Very slow' }],
        ['description', 'PUT', { description: 'p99 is 4 s' }],
        ['priority', 'PUT', { priority: 'P1' }],
        ['notes', 'POST', { note: 'Looking', user: 'Ada' }],
        ['tags', 'POST', { tags: ['slow'] }],
        ['escalate', 'POST', { escalation: { name: 'x' } }],
        ['assign', 'POST', { owner: { username: 'edsger@example.com' } }],
        ['responders', 'POST', { responder: { type: 'team', name: 'sre' } }],
        ['responders', 'POST', { responder: { type: 'team', name: 'nobody' } }],
      ] as const) {
        const { success } = await outcome(await order(action, body, method));
        assert.equal(success, true, action);
      }
      const { title, text, urgency } = await t.db
        .selectFrom('pages')
        .select(['title', 'text', 'urgency'])
        .where('id', '=', page?.id ?? '')
        .executeTakeFirstOrThrow();
      assert.deepEqual([title, text, urgency], ['Very slow', 'p99 is 4 s', 'high']);
      const until = (await t.clock.now(t.db)).add({ hours: 2 });
      assert.equal(
        (await outcome(await order('snooze', { endTime: until.toString(), user: 'Ada' }))).success,
        true,
      );
      const read = await call('/v2/alerts/orders?identifierType=alias', undefined, 'GET');
      const alert = read.body.data as Record<string, unknown>;
      assert.deepEqual([alert.acknowledged, alert.snoozed, alert.owner], [true, true, 'Ada']);
      const kinds = (
        await t.db
          .selectFrom('page_events')
          .select(['kind', 'data'])
          .where('page_id', '=', page?.id ?? '')
          .orderBy('id')
          .execute()
      ).filter(({ kind }) => kind !== 'notified');
      const names = kinds.map(({ kind }) => kind);
      for (const kind of [
        'urgency_raised',
        'escalated',
        'added',
        'acknowledged',
        'snoozed',
        'comment',
      ] as const)
        assert.ok(names.includes(kind), `${kind}: ${names}`);
      const comments = kinds.flatMap(({ kind, data }) =>
        kind === 'comment' ? [(data as { text: string }).text] : [],
      );
      assert.deepEqual(comments, [
        'Changed the title. Before: Slow',
        'Looking',
        'Tags added: slow',
        // Edsger, who is on call there, has just been added.
        'The team sre could not be added, because nobody in it is on call or all of them were added before.',
        'The team nobody could not be added, because no team has this slug or name.',
      ]);
      t.receiver.inbox.takeAll();
      const closed = await outcome(await order('close', { note: 'Fixed', user: 'Ada' }));
      assert.equal(closed.success, true);
      const last = await call(`/v2/alerts/${page?.id}/notes`, undefined, 'GET');
      assert.deepEqual((last.body.data as { note: string; owner: string }[])[0]?.note, 'Fixed');
      assert.equal((await outcome(await order('notes', { note: 'Too late' }))).success, false);
    });

    it('changes the priority of an alert, which keeps its labels and so the rules for them', async () => {
      const settings = { rules: [{ match: ['env=staging'], then: { urgency: 'low' as const } }] };
      const { id, key } = await t.source({ team: 'sre', type: 'opsgenie-api', name: 'Staging', settings });
      const headers = { authorization: `GenieKey ${key}` };
      const body = { message: 'Slow', alias: 'staging', priority: 'P3', details: { env: 'staging' } };
      await send('/v2/alerts', { headers, body });
      assert.deepEqual(
        (await pagesOf('staging')).map(({ urgency }) => urgency),
        ['low'],
      );
      const path = '/v2/alerts/staging/priority?identifierType=alias';
      await send(path, { method: 'PUT', headers, body: { priority: 'P1' } });
      assert.deepEqual(
        (await pagesOf('staging')).map(({ urgency }) => urgency),
        ['low'],
      );
      const { facts } = await t.db
        .selectFrom('pages')
        .select('facts')
        .where('source_id', '=', id)
        .executeTakeFirstOrThrow();
      assert.deepEqual(facts, { severity: 'P1', source: 'Opsgenie API', labels: ['env=staging'] });
      await send('/v2/alerts/staging/close?identifierType=alias', { headers, body: {} });
      assert.deepEqual(await states('staging'), ['resolved']);
    });

    it('changes the words and priority of an alert whose page waits', async () => {
      const settings = { wait_minutes: 5 };
      const { key } = await t.source({ team: 'sre', type: 'opsgenie-api', name: 'Waits', settings });
      const headers = { authorization: `GenieKey ${key}` };
      await send('/v2/alerts', { headers, body: { message: 'Slow', alias: 'waits', priority: 'P5' } });
      for (const [action, body] of [
        ['message', { message: 'Very slow' }],
        ['priority', { priority: 'P1' }],
      ] as const)
        await send(`/v2/alerts/waits/${action}?identifierType=alias`, { method: 'PUT', headers, body });
      const noted = await send('/v2/alerts/waits/notes?identifierType=alias', {
        ...{ headers, body: { note: 'Looking' } },
      });
      await t.settle();
      const result = await send(`/v2/alerts/requests/${noted.body.requestId}`, { method: 'GET', headers });
      const { success, status: why } = result.body.data as Record<string, unknown>;
      assert.equal(success, false);
      assert.match(String(why), /^The page still waits, so only its title/);
      assert.deepEqual(await pagesOf('waits'), []);
      const read = (path: string) => send(`/v2/alerts/${path}`, { method: 'GET', headers });
      for (const path of ['waits', 'waits?identifierType=alias']) {
        const { message, alias, status, priority } = (await read(path)).body.data as Record<string, unknown>;
        assert.deepEqual([message, alias, status, priority], ['Very slow', 'waits', 'open', 'P1']);
      }
      assert.deepEqual((await read('waits/notes')).body.data, []);
      await t.advance({ minutes: 5 });
      const [page] = await pagesOf('waits');
      assert.deepEqual([page?.title, page?.urgency], ['Very slow', 'high']);
      await send('/v2/alerts/waits/close?identifierType=alias', { headers, body: {} });
      assert.deepEqual(await states('waits'), ['resolved']);
    });

    it('finds a team by its name, as Opsgenie names teams', async () => {
      const rename = (name: string) =>
        t.db
          .updateTable('teams')
          .set({ name })
          .where('slug', '=', 'sre')
          .where('organization_id', '=', t.acme.id)
          .execute();
      await rename('Site Reliability');
      await call('/v2/alerts', { message: 'Slow', alias: 'by-name', priority: 'P5' });
      const add = async (name: string) => {
        const responder = { type: 'team', name };
        await outcome(await call('/v2/alerts/by-name/responders?identifierType=alias', { responder }));
      };
      await add('site reliability');
      await add('Nobody');
      const notes = await call('/v2/alerts/by-name/notes?identifierType=alias', undefined, 'GET');
      assert.deepEqual(
        (notes.body.data as { note: string }[]).map(({ note }) => note),
        ['The team Nobody could not be added, because no team has this slug or name.'],
      );
      await rename('sre');
      await call('/v2/alerts/by-name/close?identifierType=alias', {});
      assert.deepEqual(await states('by-name'), ['resolved']);
    });

    it('lists and counts', async () => {
      const list = await call('/v2/alerts?query=status%3A%20closed&limit=1', undefined, 'GET');
      const data = list.body.data as { status: string }[];
      assert.deepEqual(
        data.map(({ status }) => status),
        ['closed'],
      );
      assert.match(String((list.body.paging as { next: string }).next), /offset=1/);
      const count = await call('/v2/alerts/count', undefined, 'GET');
      assert.deepEqual(count.body.data, { count: 5 });
      assert.equal((await call('/v2/alerts/nothing', undefined, 'GET')).status, 404);
    });

    it('that reads the result before the call is processed waits, and is asked to repeat', async () => {
      const early = await t.db.transaction().execute(async (tx) => {
        // The worker that processes the call waits for this lock.
        await lockWebhooks(tx, [ids.get('opsgenie-api') ?? '']);
        const { body } = await call('/v2/alerts', { message: 'Later', alias: 'later' });
        return call(`/v2/alerts/requests/${body.requestId}`, undefined, 'GET');
      });
      assert.equal(early.status, 404, early.text);
      assert.equal(early.headers.get('x-opsgenie-errortype'), 'RequestNotProcessed');
      const unknown = await call('/v2/alerts/requests/request_nothing', undefined, 'GET');
      assert.deepEqual([unknown.status, unknown.headers.get('x-opsgenie-errortype')], [404, null]);
      assert.deepEqual(await states('later'), ['notifying']);
      await call('/v2/alerts/later/close?identifierType=alias', {});
      assert.deepEqual(await states('later'), ['resolved']);
    });

    it('looks up only the team of its key', async () => {
      const headers = { authorization: `GenieKey ${keyOf('opsgenie-api')}` };
      const found = await send('/v2/teams/SRE?identifierType=name', { method: 'GET', headers });
      assert.equal(found.status, 200);
      assert.match((found.body.data as { id: string }).id, /^team_/);
      const other = await send('/v2/teams/web?identifierType=name', { method: 'GET', headers });
      assert.deepEqual([other.status, other.body.message], [404, 'Team does not exist']);
      assert.equal((await send('/v2/teams/sre', { method: 'GET', headers: {} })).status, 401);
    });

    it('may send its key in several ways, and is refused in Opsgenie’s own words', async () => {
      const key = keyOf('opsgenie-api');
      const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
      for (const authorization of [`GenieKey ${key}`, basic(`:${key}`), basic(key), basic(`x:${key}`)])
        assert.equal(
          (await send('/v2/integrations/authenticate', { headers: { authorization }, body: {} })).status,
          200,
        );
      assert.equal((await send(`/v2/integrations/authenticate?apiKey=${key}`, { body: {} })).status, 200);
      for (const headers of [
        {},
        { authorization: 'GenieKey 00000000-0000-4000-8000-000000000000' },
      ] as Record<string, string>[]) {
        const { status, body } = await send('/v2/alerts', { headers, body: { message: 'x' } });
        assert.deepEqual([status, body.message], [401, 'Could not authenticate']);
        assert.ok(typeof body.took === 'number' && typeof body.requestId === 'string');
      }
      const { status, body } = await call('/v2/alerts', { alias: 'x' });
      assert.deepEqual([status, body.errors], [422, { message: 'Message can not be empty.' }]);
    });
  });

  it('calls heartbeats by name', async () => {
    await t.source({ team: 'sre', type: 'heartbeat', name: 'Backup', intervalMinutes: 60 });
    await t.source({ team: 'sre', type: 'heartbeat', name: 'grafana-oncall heartbeat', intervalMinutes: 60 });
    const called = () =>
      t.db.selectFrom('page_sources').select('id').where('last_beat_at', 'is not', null).execute();
    const authorization = `Basic ${Buffer.from(`:${keyOf('opsgenie-api')}`).toString('base64')}`;
    for (const method of ['GET', 'POST', 'PUT', 'PATCH']) {
      const ping = await send('/v2/heartbeats/backup/ping', { method, headers: { authorization } });
      assert.deepEqual([ping.status, ping.body.result], [202, 'PONG - Heartbeat received']);
    }
    assert.equal((await called()).length, 1);
    const none = await send('/v2/heartbeats/none/ping', { headers: { authorization }, body: { alerts: [] } });
    assert.equal(none.status, 404);
    const read = async (path: string, method = 'GET') => {
      const { status, body } = await send(path, { method, headers: { authorization } });
      return { status, data: body.data as Record<string, unknown>, code: body.code };
    };
    const { data: one } = await read('/v2/heartbeats/Backup');
    assert.deepEqual([one.name, one.interval, one.expired], ['Backup', 60, false]);
    assert.ok(one.lastPingTime);
    const { data: all } = await read('/v2/heartbeats');
    assert.equal((all.heartbeats as unknown[]).length, 2);
    assert.equal((await read('/v2/heartbeats/none')).status, 404);
    for (const [method, path] of [
      ['POST', '/v2/heartbeats'],
      ['DELETE', '/v2/heartbeats/backup'],
      ['POST', '/v2/heartbeats/backup/disable'],
    ] as const) {
      const { status, code } = await read(path, method);
      assert.deepEqual([status, code], [403, 40_301], 'a key of senders changes nothing');
    }
    const oncall = await send(`/integrations/v1/alertmanager/${keyOf('grafana-oncall')}/heartbeat/`, {
      body: {},
    });
    assert.deepEqual([oncall.status, oncall.text], [200, '"Ok."']);
    assert.equal((await called()).length, 2);
  });

  it('of VictorOps pages, acknowledges and recovers', async () => {
    const path = `/integrations/generic/20131114/alert/${keyOf('victorops')}/payments`;
    const alert = { message_type: 'CRITICAL', entity_id: 'vo', entity_display_name: 'Load' };
    for (const [message_type, state] of [
      ['CRITICAL', 'notifying'],
      ['ACKNOWLEDGEMENT', 'acknowledged'],
      ['RECOVERY', 'resolved'],
    ]) {
      const { status, body } = await send(path, { body: { ...alert, message_type } });
      assert.deepEqual([status, body], [200, { result: 'success', entity_id: 'vo' }]);
      assert.deepEqual(await states('vo'), [state]);
    }
    const wrong = await send('/integrations/generic/20131114/alert/nobodys/payments', { body: alert });
    assert.deepEqual([wrong.status, wrong.body.result], [404, 'failure']);
  });

  it('of GoAlert pages and closes, by JSON, form and query', async () => {
    const token = keyOf('goalert');
    const answer = await send(`/api/v2/generic/incoming?token=${token}`, {
      body: { summary: 'Full', dedup: 'go' },
    });
    assert.deepEqual([answer.status, answer.text], [204, '']);
    assert.deepEqual(await states('go'), ['notifying']);
    const form = new URLSearchParams({ token, summary: 'Full', dedup: 'go', action: 'close' }).toString();
    assert.equal((await send('/v1/api/alerts', { body: form })).status, 204);
    assert.deepEqual(await states('go'), ['resolved']);
    assert.equal((await send('/api/v2/generic/incoming', { body: { summary: 'x' } })).status, 401);
    const empty = await send(`/api/v2/generic/incoming?token=${token}`, { body: {} });
    assert.equal(empty.status, 400);
  });

  it('of GoAlert pages what Site24x7 reports', async () => {
    const path = `/api/v2/site24x7/incoming?token=${keyOf('goalert')}&dedup=shop`;
    const monitor = { MONITORNAME: 'Shop', MONITOR_DASHBOARD_LINK: 'https://www.site24x7.com/app' };
    for (const [STATUS, state] of [
      ['DOWN', 'notifying'],
      ['TROUBLE', 'notifying'],
      ['UP', 'resolved'],
    ] as const) {
      assert.equal((await send(path, { body: { ...monitor, STATUS } })).status, 204);
      assert.deepEqual(await states('shop'), [state], STATUS);
    }
    assert.equal((await pagesOf('shop'))[0]?.title, 'Shop is down');
    const unknown = await send(path, { body: { ...monitor, STATUS: 'MAINTENANCE' } });
    assert.equal(unknown.status, 400);
    assert.match(unknown.text, /STATUS.*DOWN, CRITICAL, TROUBLE or UP/);
    const nobody = await send('/api/v2/site24x7/incoming?token=nobody', {
      body: { ...monitor, STATUS: 'UP' },
    });
    assert.equal(nobody.status, 401);
  });

  it('of Grafana OnCall pages and resolves', async () => {
    const path = `/integrations/v1/formatted_webhook/${keyOf('grafana-oncall')}/`;
    const alert = { alert_uid: 'oncall', title: 'Slow', state: 'alerting', message: 'very' };
    const answer = await send(path, { body: alert });
    assert.deepEqual([answer.status, answer.text], [200, '"Ok."']);
    assert.deepEqual(await states('oncall'), ['notifying']);
    await send(path, { body: { ...alert, state: 'ok' } });
    assert.deepEqual(await states('oncall'), ['resolved']);
  });
});
