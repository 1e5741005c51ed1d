import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { Client } from 'pg';
import type { Dialect, SourceRule, SourceSettings } from '../src/sources/contract.ts';
import type { TriedCall, TriedEvent } from '../src/sources/try-contract.ts';
import { contentsOfTables } from '../testing/contents-of-tables.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Answer, type Story, type StorySource, story } from '../testing/story.ts';
import { twoStageStory } from '../testing/two-stage-story.ts';

type PageOutcome = { id: string | null; state: string | null; action: string; reason: string | null };

describe('a dry run of a call', () => {
  let t: Story;
  let ada: SignedIn;
  let source: StorySource;
  let client: Client;

  const make = (settings: SourceSettings = {}, type = 'custom') => t.source({ team: 'sre', type, settings });
  const ask = async (body: unknown, of = source): Promise<TriedCall> => {
    const answer = await t.post(`${of.path}?dry_run=true`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as TriedCall;
  };
  const one = async (body: unknown, of = source): Promise<TriedEvent> => {
    const { events } = await ask(body, of);
    assert.equal(events.length, 1);
    return events[0] as TriedEvent;
  };
  const really = async (body: unknown, of = source): Promise<PageOutcome[]> => {
    const answer = await t.post(of.path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    await t.settle();
    const status = await t.get(`/request/${answer.body.service_request_id}/status`);
    return (status.body as { response: { pages: PageOutcome[] } }).response.pages;
  };
  const steps = ({ steps }: TriedEvent) =>
    steps.map((step) =>
      step.kind === 'expire'
        ? `${step.after_seconds} expires`
        : `${step.after_seconds} ${step.stage ?? '-'} ${step.people.map(({ person }) => person.name).join()}`,
    );
  /** Without times, which depend on when the page was raised. */
  const order = (tried: TriedEvent) => steps(tried).map((step) => step.slice(step.indexOf(' ') + 1));
  const problems = ({ status, body }: Pick<Answer, 'status' | 'body'>, expected = 400) => {
    assert.equal(status, expected, JSON.stringify(body));
    return (body.details as { message: string }[]).map(({ message }) => message);
  };
  /** Fails if `work` changes a table other than those of sessions and of the nodes' own state. */
  const changesNothing = async <T>(work: () => Promise<T>): Promise<T> => {
    const own = ['sessions', 'nodes', 'accepting'];
    const contents = async () =>
      Object.fromEntries(
        Object.entries(await contentsOfTables(client)).filter(([name]) => !own.includes(name)),
      );
    await t.app.duties.runAll();
    const former = await contents();
    const result = await work();
    await t.settle();
    await t.app.duties.runAll();
    const now = await contents();
    const changed = Object.keys(now).filter((name) => now[name]?.hash !== former[name]?.hash);
    assert.deepEqual(changed, []);
    return result;
  };

  before(async () => {
    t = await twoStageStory();
    ada = await signIn(t, 'ada');
    client = new Client({ connectionString: t.commandEnv.DATABASE_URL });
    await client.connect();
    await t.app.duties.runAll();
  });
  beforeEach(async () => {
    source = await make();
  });
  afterEach(async () => {
    await t.db.deleteFrom('maintenance_windows').execute();
    await t.db.deleteFrom('waiting_pages').execute();
    await t.db.deleteFrom('pages').execute();
    t.receiver.inbox.takeAll();
  });
  after(async () => {
    await client.end();
    await t.end();
  });

  it('shows what would happen, and stores nothing', async () => {
    source = await make({
      rules: [
        { match: ['env=staging'], then: { urgency: 'none' } },
        { match: ['severity=critical'], then: { urgency: 'high', stage: 2 } },
      ],
    });
    const body = {
      title: 'Disk full',
      text: '98 %',
      severity: 'critical',
      dedup_key: 'disk',
      labels: { env: 'prod' },
    };
    const tried = await changesNothing(() => ask(body));
    assert.equal(tried.dry_run, true);
    assert.equal(tried.message, '1 page would be raised.');
    const [event] = tried.events;
    assert.deepEqual(event?.event.labels, ['env=prod']);
    assert.equal(event?.event.title, 'Disk full');
    assert.deepEqual(
      [event?.action, event?.urgency, event?.dedup_key, event?.rule, event?.page],
      ['raised', 'high', 'disk', { number: 2, text: 'rule 2: severity=critical → high, stage 2' }, null],
    );
    assert.equal(event?.recipient?.handle, 'sre');
    assert.deepEqual(steps(event as TriedEvent), ['0 2 Grace', '300 - Grace', '600 1 Ada']);
    const [now] = event?.steps ?? [];
    assert.ok(now?.kind === 'notify');
    assert.equal(now?.people[0]?.notifications[0]?.channel, 'webhook');
    assert.equal(now?.at, tried.at);
    const row = await t.db
      .selectFrom('webhooks')
      .select('last_used_at')
      .where('id', '=', source.id)
      .execute();
    assert.deepEqual(row, [{ last_used_at: null }]);
    await t.notified();
  });

  it('names the open page that a call would change', async () => {
    const [raised] = await really({ title: 'Disk full', dedup_key: 'disk', urgency: 'medium' });
    await t.notified('ada');
    const again = await changesNothing(() =>
      one({ title: 'Disk full', dedup_key: 'disk', urgency: 'medium' }),
    );
    assert.deepEqual([again.action, again.page?.id, again.page?.state], ['updated', raised?.id, 'notifying']);
    const { page } = (await ada.call('GET', `/api/pages/${raised?.id}`)).body;
    assert.deepEqual(order(again), ['2 Grace', '- Grace', '1 Ada']);
    assert.ok(Math.abs(Date.parse(again.steps[0]?.at ?? '') - Date.parse(page.next.at)) <= 1_000);
    const higher = await changesNothing(() =>
      one({ title: 'Disk full', dedup_key: 'disk', urgency: 'high' }),
    );
    assert.deepEqual([higher.action, higher.page?.urgency], ['updated', 'high']);
    assert.equal(steps(higher)[0], '0 - Ada');
    const over = await changesNothing(() => one({ action: 'resolve', dedup_key: 'disk' }));
    assert.deepEqual(
      [over.action, over.page?.id, over.page?.state, over.steps],
      ['resolved', raised?.id, 'resolved', []],
    );
    const other = await changesNothing(() => one({ action: 'resolve', dedup_key: 'other' }));
    assert.deepEqual(
      [other.action, other.page, other.reason],
      ['ignored', null, 'No open page has this dedup key, so there was nothing to resolve.'],
    );
  });

  it('shows what holds a page, until when, and whom it would notify then', async () => {
    const waiting = await one({ title: 'Slow', dedup_key: 'slow' }, await make({ wait_minutes: 5 }));
    assert.deepEqual([waiting.action, waiting.wait_minutes, waiting.hold?.reason], ['waiting', 5, 'wait']);
    assert.equal(order(waiting)[0], '1 Ada');
    const made = await ada.call('POST', '/api/windows', { team: 'sre', name: 'Switches', minutes: 60 });
    const held = await changesNothing(() => one({ title: 'Slow', dedup_key: 'slow' }));
    assert.equal(held.action, 'waiting');
    assert.deepEqual(held.window, {
      id: made.body.id,
      name: 'Switches',
      effect: 'hold',
      until: made.body.ends_at,
    });
    assert.deepEqual(held.hold, { reason: 'window', until: made.body.ends_at });
    assert.equal(held.recipient?.name, 'SRE');
    assert.equal(order(held)[0], '1 Ada');
    assert.ok(Math.abs(Date.parse(held.steps[0]?.at ?? '') - Date.parse(made.body.ends_at)) <= 1_000);
    await t.db.updateTable('maintenance_windows').set({ effect: 'record' }).execute();
    const recorded = await one({ title: 'Slow', dedup_key: 'slow' });
    assert.deepEqual(
      [recorded.action, recorded.window?.effect, recorded.hold?.until],
      ['ignored', 'record', null],
    );
    await t.db.deleteFrom('maintenance_windows').execute();
    const day = (await t.clock.now(t.db)).toZonedDateTimeISO('UTC').dayOfWeek;
    const weekly = [{ days: [(day % 7) + 1], from: '00:00', to: '24:00' }];
    const hours = { zone: 'UTC', weekly, outside: 'hold' as const };
    const outside = await one({ title: 'Slow' }, await make({ hours }));
    assert.deepEqual([outside.action, outside.hold?.reason], ['waiting', 'hours']);
  });

  it('reads the calls of integrations', async () => {
    const alertmanager = await make({}, 'alertmanager');
    const body = await readFile(
      new URL('../src/moments/integrations/samples/alertmanager-firing.json', import.meta.url),
      'utf8',
    );
    const tried = await changesNothing(() => ask(body, alertmanager));
    assert.deepEqual(
      tried.events.map(({ action, event }) => [action, event.source]),
      [['raised', 'Alertmanager']],
    );
    assert.match(
      problems(await t.post(`${alertmanager.path}?dry_run=true`, { text: 1 }))[0] ?? '',
      /^body cannot be read: /,
    );
  });

  it('refuses what a real call would be refused for, and leaves no trace', async () => {
    await changesNothing(async () => {
      const bad = await t.post(`${source.path}?dry_run=true`, { title: '', urgency: 'loud' });
      assert.deepEqual(
        problems(bad).map((problem) => problem.split(' ')[0]),
        ['urgency', 'title'],
      );
      assert.deepEqual(problems(await t.post(`${source.path}?dry_run=1`, { title: 'x' })), [
        'dry_run is "1"; give true to see what the call would do, or leave it out to page.',
      ]);
      assert.equal((await t.post('/page/nobody?dry_run=true', { title: 'x' })).status, 404);
    });
    const ended = await make();
    const at = await t.clock.now(t.db);
    await t.db.updateTable('webhooks').set({ expires_at: at }).where('id', '=', ended.id).execute();
    await changesNothing(async () =>
      assert.equal((await t.post(`${ended.path}?dry_run=true`, { title: 'x' })).status, 410),
    );
  });

  describe('at the paths of other products', () => {
    const keyed = async (type: Dialect) => (await make({}, type)).key ?? '';
    const payload = { summary: 'Down', severity: 'critical', source: 'db' };
    const senders: [
      string,
      Dialect,
      (key: string) => { path: string; body: object; headers?: Record<string, string> },
    ][] = [
      [
        'PagerDuty',
        'pagerduty-events',
        (key) => ({
          path: '/v2/enqueue',
          body: { routing_key: key, event_action: 'trigger', dedup_key: 'k', payload },
        }),
      ],
      [
        'PagerDuty’s first version',
        'pagerduty-events',
        (key) => ({
          path: '/generic/2010-04-15/create_event.json',
          body: { service_key: key, event_type: 'trigger', incident_key: 'k', description: 'Down' },
        }),
      ],
      [
        'Opsgenie',
        'opsgenie-api',
        (key) => ({
          path: '/v2/alerts',
          body: { message: 'Down', alias: 'k', priority: 'P1' },
          headers: { authorization: `GenieKey ${key}` },
        }),
      ],
      [
        'VictorOps',
        'victorops',
        (key) => ({
          path: `/integrations/generic/20131114/alert/${key}/db`,
          body: { message_type: 'CRITICAL', entity_id: 'k', entity_display_name: 'Down' },
        }),
      ],
      [
        'GoAlert',
        'goalert',
        (key) => ({
          path: '/api/v2/generic/incoming',
          body: { summary: 'Down', dedup: 'k' },
          headers: { authorization: `Bearer ${key}` },
        }),
      ],
      [
        'Grafana OnCall',
        'grafana-oncall',
        (key) => ({
          path: `/integrations/v1/formatted_webhook/${key}/`,
          body: { alert_uid: 'k', title: 'Down', state: 'alerting' },
        }),
      ],
    ];

    for (const [product, type, sent] of senders)
      it(`shows what a call of ${product} would do, and stores nothing`, async () => {
        const { path, body, headers = {} } = sent(await keyed(type));
        const answer = await changesNothing(() => t.post(`${path}?dry_run=true`, body, headers));
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        const tried = answer.body as TriedCall;
        assert.deepEqual([tried.dry_run, tried.message], [true, '1 page would be raised.']);
        const [event] = tried.events;
        assert.deepEqual([event?.action, event?.dedup_key, event?.event.title], ['raised', 'k', 'Down']);
        assert.match(steps(event as TriedEvent)[0] ?? '', /^0 1 Ada/);
        const really = await t.post(`${path}?dry_run=false`, body, headers);
        assert.ok([200, 202, 204].includes(really.status), `${really.status}`);
        await t.settle();
        const pages = await t.db.selectFrom('pages').select('title').execute();
        assert.deepEqual(pages, [{ title: 'Down' }]);
      });

    it('refuses what a real call would be refused for, in the words of the product, and leaves no trace', async () => {
      const routing_key = await keyed('pagerduty-events');
      const body = { routing_key, event_action: 'trigger', payload };
      await changesNothing(async () => {
        const unsure = await t.post('/v2/enqueue?dry_run=yes', body);
        assert.equal(unsure.status, 400);
        assert.match(String(unsure.body.errors), /'dry_run' is "yes"; give true/);
        const wrong = await t.post('/v2/enqueue?dry_run=true', { ...body, payload: {} });
        assert.deepEqual([wrong.status, wrong.body.status], [400, 'invalid event']);
        const unknown = await t.post('/v2/enqueue?dry_run=true', { ...body, routing_key: '0'.repeat(32) });
        assert.equal(unknown.status, 400);
      });
    });

    it('shows the effect of an order for an open alert', async () => {
      const headers = { authorization: `GenieKey ${await keyed('opsgenie-api')}` };
      await t.post('/v2/alerts', { message: 'Down', alias: 'k' }, headers);
      await t.settle();
      const close = '/v2/alerts/k/close?identifierType=alias&dry_run=true';
      const closed = await changesNothing(() => t.post(close, {}, headers));
      assert.deepEqual(
        (closed.body as TriedCall).events.map(({ action }) => action),
        ['resolved'],
      );
      const note = '/v2/alerts/k/notes?identifierType=alias&dry_run=true';
      const noted = await changesNothing(() => t.post(note, { note: 'Looking' }, headers));
      assert.equal((noted.body as TriedCall).orders.length, 1, JSON.stringify(noted.body));
    });
  });

  describe('by the API', () => {
    const tryIt = (body: unknown, who = ada, id = source.id) =>
      who.call('POST', `/api/sources/${id}/try`, body);

    it('tries unsaved settings', async () => {
      const settings = {
        rules: [{ match: ['severity=warning'], then: { person: 'edsger@example.com', urgency: 'high' } }],
      };
      const body = { title: 'Slow', severity: 'warning' };
      const drafted = await changesNothing(() => tryIt({ body, settings }));
      const [event] = (drafted.body as TriedCall).events;
      assert.deepEqual([event?.rule?.number, event?.urgency, event?.recipient?.kind], [1, 'high', 'person']);
      assert.deepEqual(event && steps(event), ['0 - Edsger']);
      assert.equal((await tryIt({ body })).body.events[0].urgency, 'low');
      assert.deepEqual(
        problems(
          await tryIt({ body, settings: { rules: [{ match: ['severity'], then: { team: 'none' } }] } }),
        ),
        [
          'settings.rules[0].match[0] is "severity", which is not a matcher; write key=value, key!=value or key=~regex.',
        ],
      );
      assert.match(
        problems(
          await tryIt({ body, settings: { rules: [{ match: ['a=b'], then: { team: 'none' } }] } }),
        )[0] ?? '',
        /^settings\.rules\[0\]\.then\.team is "none", which is not a team/,
      );
    });

    it('tries a received call again', async () => {
      await really({ title: 'Disk full', dedup_key: 'disk' });
      await t.notified('ada');
      const [received] = (await ada.call('GET', `/api/notifications?webhook=${source.id}`)).body
        .notifications;
      const tried = await changesNothing(() => tryIt({ call: received.id }));
      assert.deepEqual(
        tried.body.events.map(({ action, event }: TriedEvent) => [action, event.title]),
        [['updated', 'Disk full']],
      );
      const other = await make();
      assert.match(
        problems(await tryIt({ call: received.id }, ada, other.id))[0] ?? '',
        /^call is not a call that this source/,
      );
    });

    it('accepts a text, a body or a call, and names what is missing', async () => {
      const form = {
        body: 'title=Disk+full&severity=critical',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      };
      assert.equal((await tryIt(form)).body.events[0].event.severity, 'critical');
      assert.match(problems(await tryIt({}))[0] ?? '', /^body or call is required/);
      assert.match(problems(await tryIt({ body: {}, call: 'x' }))[0] ?? '', /^body or call is required/);
      assert.match(problems(await tryIt({ body: 'x'.repeat(1_100_000) }), 413)[0] ?? '', /body/);
      const heartbeat = await t.source({ team: 'sre', type: 'heartbeat', intervalMinutes: 5 });
      assert.match(problems(await tryIt({ body: {} }, ada, heartbeat.id))[0] ?? '', /^source is a heartbeat/);
      assert.match(problems(await tryIt({ body: {} }, ada, 'source_none'), 404)[0] ?? '', /^source /);
    });

    it('tries the bodies of other products', async () => {
      const pagerduty = await t.source({ team: 'sre', type: 'pagerduty-events' });
      const body = {
        event_action: 'trigger',
        dedup_key: 'k',
        payload: { summary: 'Down', severity: 'critical', source: 'x' },
      };
      const [event] = (await tryIt({ body }, ada, pagerduty.id)).body.events;
      assert.deepEqual([event.action, event.dedup_key, event.urgency], ['raised', 'k', 'high']);
    });
  });

  describe('agrees with the real call', () => {
    const severity = fc.constantFrom('critical', 'warning', 'odd', undefined);
    const body = fc.record(
      {
        title: fc.constantFrom('Disk full', 'Slow'),
        severity,
        urgency: fc.constantFrom('low', 'high', undefined),
        dedup_key: fc.constantFrom('a', 'b'),
        action: fc.constantFrom('trigger', 'trigger', 'trigger', 'acknowledge', 'resolve'),
        labels: fc.constantFrom({}, { env: 'prod' }, { env: 'staging' }),
      },
      { requiredKeys: ['title', 'dedup_key', 'action'] },
    );
    const then: fc.Arbitrary<SourceRule['then']> = fc.constantFrom<SourceRule['then']>(
      ...[{ ignore: true }, { urgency: 'none' as const }, { urgency: 'high' as const, stage: 2 }],
      ...[{ person: 'edsger@example.com' }, { wait_minutes: 5 }, { team: 'sre', urgency: 'low' as const }],
    );
    const rule = fc.record({
      match: fc.array(fc.constantFrom('env=prod', 'env!=prod', 'severity=critical', 'title=~.*o.*'), {
        minLength: 1,
        maxLength: 2,
      }),
      then,
    });
    const settings: fc.Arbitrary<SourceSettings> = fc.record(
      {
        rules: fc.array(rule, { maxLength: 3 }),
        wait_minutes: fc.constantFrom(0, 2),
        on_resolve: fc.constantFrom('resolve', 'keep'),
        on_acknowledge: fc.constantFrom('acknowledge', 'ignore'),
      },
      { requiredKeys: [] },
    );
    const calls = fc.array(fc.record({ body, minutes: fc.constantFrom(0, 0, 3) }), {
      minLength: 1,
      maxLength: 5,
    });

    /** The clock moves on between the two calls. */
    const timeless = (reason: string | null) => reason?.replace(/ at \S+Z/, ' at that time') ?? null;

    async function agrees(body: unknown, of: StorySource): Promise<void> {
      t.receiver.inbox.takeAll();
      const planned = await one(body, of);
      const [done] = await really(body, of);
      assert.deepEqual(
        [planned.action, timeless(planned.reason)],
        [done?.action, timeless(done?.reason ?? null)],
      );
      const notified = new Set(t.receiver.inbox.takeAll().map(({ path }) => path));
      const now = planned.steps.flatMap((step) =>
        step.kind === 'notify' && step.after_seconds === 0 ? step.people : [],
      );
      assert.deepEqual(new Set(now.map(({ person }) => `/${person.email.split('@')[0]}`)), notified);
      if (!done?.id) return assert.equal(planned.page, null);
      const { page } = (await ada.call('GET', `/api/pages/${done.id}`)).body;
      assert.deepEqual(planned.recipient?.id, page.team?.id ?? page.person.id);
      if (planned.action === 'raised')
        assert.deepEqual([planned.page, planned.urgency], [null, page.urgency]);
      else
        assert.deepEqual(
          [planned.page?.id, planned.page?.state, planned.page?.urgency],
          [done.id, page.state, page.urgency],
        );
    }

    it('about action, reason, urgency, recipient, page and the people notified now', async () => {
      await fc.assert(
        fc.asyncProperty(settings, calls, async (given, sequence) => {
          const of = await make(given);
          for (const { body, minutes } of sequence) {
            await agrees(body, of);
            await t.advance({ minutes });
          }
          await t.db.deleteFrom('waiting_pages').execute();
          await t.db.deleteFrom('pages').execute();
          t.receiver.inbox.takeAll();
        }),
        { numRuns: 25 },
      );
    });
  });
});

it('a dry run counts towards the rate limit of the source', async () => {
  const t = await story({
    env: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '1' },
    organization: { people: { ada: {} }, teams: { sre: { members: ['ada'] } } },
  });
  try {
    const { path } = await t.source({ team: 'sre' });
    const ask = () => t.post(`${path}?dry_run=true`, { title: 'Slow' });
    const statuses = (await Promise.all(Array.from({ length: 30 }, ask))).map(({ status }) => status);
    assert.ok(statuses.includes(429), String(statuses));
  } finally {
    await t.end();
  }
});
