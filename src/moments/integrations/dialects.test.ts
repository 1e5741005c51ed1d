import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { MomentEvent } from '../event.ts';
import { RECEIVED_AT, readBody } from './adapter.contract.ts';
import type { AdapterResult } from './adapter.ts';
import { type DialectCall, dialectBody } from './dialect-call.ts';
import { opsgenieTarget } from './opsgenie-paths.ts';
import { readerFor } from './registry.ts';

type Sent = {
  path?: string;
  method?: string;
  query?: Record<string, string>;
  body?: unknown;
  dedup_key?: string;
};

/** The adapter's result for a stored call of a dialect. */
function read(dialect: string, { body = '', ...about }: Sent): AdapterResult {
  const adapter = readerFor(dialect);
  assert.ok(adapter);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const call: DialectCall = { method: 'POST', path: '/', query: {}, ...about, body: text };
  return readBody(adapter, dialectBody(call));
}

function eventOf(dialect: string, sent: Sent): MomentEvent {
  const result = read(dialect, sent);
  assert.ok('events' in result && result.events[0], JSON.stringify(result));
  return result.events[0];
}

function orderOf(sent: Sent) {
  const result = read('opsgenie-api', sent);
  assert.ok('orders' in result, JSON.stringify(result));
  return result.orders?.[0];
}

function errorOf(dialect: string, sent: Sent): string {
  const result = read(dialect, sent);
  assert.ok('error' in result, JSON.stringify(result));
  return result.error;
}

const TRIGGER = {
  routing_key: '****cdef',
  event_action: 'trigger',
  dedup_key: 'disk/db-1',
  payload: {
    summary: 'db-1: disk 98 %',
    source: 'db-1',
    severity: 'Critical',
    component: 'ext4',
    group: 'payments',
    class: 'disk',
    timestamp: '2026-11-20T03:04:05.678+0000',
    custom_details: { used: '98 %', mounts: ['/', '/var'] },
  },
  links: [{ href: 'https://grafana.example/d/1', text: 'Dashboard' }],
  images: [{ src: 'https://grafana.example/r.png', alt: 'graph' }],
  client: 'Checks',
  client_url: 'https://checks.example/1',
};

describe("a call of PagerDuty's Events API", () => {
  it('is read completely', () => {
    const event = eventOf('pagerduty-events', { path: '/v2/enqueue', body: TRIGGER });
    assert.equal(event.dedupKey, 'disk/db-1');
    assert.deepEqual([event.action, event.name, event.severity], ['open', 'db-1: disk 98 %', 'Critical']);
    assert.deepEqual([event.source, event.sourceUrl], ['Checks', 'https://checks.example/1']);
    assert.equal(String(event.occurredAt), '2026-11-20T03:04:05.678Z');
    assert.equal(String(event.at), String(RECEIVED_AT));
    assert.deepEqual(event.labels, [
      ...['source=db-1', 'component=ext4', 'group=payments', 'class=disk', 'used=98 %'],
    ]);
    assert.match(event.description ?? '', /\[graph\]\(<https:\/\/grafana\.example\/r\.png>\)/);
  });

  it('needs only a key to acknowledge and resolve', () => {
    for (const [word, action] of [
      ['acknowledge', 'acknowledge'],
      ['resolve', 'resolve'],
    ] as const) {
      const body = { event_action: word, dedup_key: 'k', payload: null, images: null, links: null };
      const event = eventOf('pagerduty-events', { path: '/v2/enqueue', body });
      assert.deepEqual([event.action, event.dedupKey], [action, 'k']);
      const { dedup_key: _, ...without } = body;
      assert.match(errorOf('pagerduty-events', { path: '/v2/enqueue', body: without }), /dedup_key/);
    }
  });

  it('without a key has the key from our answer', () => {
    const { dedup_key: _, ...body } = TRIGGER;
    assert.equal(
      eventOf('pagerduty-events', { path: '/v2/enqueue', body, dedup_key: 'made' }).dedupKey,
      'made',
    );
  });

  it('may have any details, an unreadable time, and a title of any length', () => {
    for (const custom_details of ['text', ['a', 1], 5, { deep: { deeper: [] } }, null]) {
      const payload = {
        ...TRIGGER.payload,
        custom_details,
        timestamp: 'soon',
        summary: `${'x '.repeat(700)}`,
      };
      const event = eventOf('pagerduty-events', { path: '/v2/enqueue', body: { ...TRIGGER, payload } });
      assert.equal(String(event.occurredAt), String(RECEIVED_AT));
      assert.ok(event.name.length <= 70);
    }
  });

  it('may be of version 1, with the fields of version 2 left blank', () => {
    const body = {
      ...{ service_key: '****cdef', incident_key: 'k', event_type: 'trigger', description: 'Disk full' },
      ...{ event_action: '', payload: null, client: 'Nagios', details: { host: 'db-1' } },
      contexts: [
        { type: 'link', href: 'https://nagios.example/', text: 'Nagios' },
        { type: 'image', src: 'https://nagios.example/graph.png' },
      ],
    };
    const event = eventOf('pagerduty-events', { path: '/generic/2010-04-15/create_event.json', body });
    assert.deepEqual(
      [event.action, event.dedupKey, event.name, event.source],
      ['open', 'k', 'Disk full', 'Nagios'],
    );
    assert.deepEqual(event.labels, ['host=db-1']);
    assert.equal(event.severity, null);
    assert.match(event.description ?? '', /\[Nagios\].*\[Image\]/);
  });

  it('that reports a change notifies nobody and has no follow-up', () => {
    const { event_action: _, ...body } = TRIGGER;
    const event = eventOf('pagerduty-events', { path: '/v2/change/enqueue', body });
    assert.deepEqual(
      [event.pages, event.dedupKey, event.priority, event.action],
      [false, null, 'low', 'open'],
    );
    assert.equal(event.labels?.[0], 'change');
  });
});

describe("a call of Opsgenie's Alert API", () => {
  const create = {
    ...{ message: 'Disk full', alias: 'disk/db-1', description: '98 % of /var', priority: 'P1', user: 'Ada' },
    ...{
      source: 'http://am:9093/#/alerts',
      tags: ['prod', 'disk'],
      details: { instance: 'db-1', n: 5, empty: null },
    },
    responders: [
      { name: 'sre', type: 'team' },
      { username: 'ada@example.com', type: 'user' },
    ],
  };

  it('creates', () => {
    const event = eventOf('opsgenie-api', { path: '/v2/alerts', body: create });
    assert.deepEqual([event.action, event.dedupKey, event.name], ['open', 'disk/db-1', 'Disk full']);
    assert.deepEqual([event.severity, event.priority, event.by], ['P1', 'high', 'Ada']);
    assert.deepEqual(event.labels, [
      ...['prod', 'disk', 'instance=db-1', 'n=5', 'responder=sre', 'responder=ada@example.com'],
    ]);
    assert.equal(event.sourceUrl, 'http://am:9093/#/alerts');
  });

  it('creates an alert without an alias, under its assigned id, and without a priority', () => {
    for (const priority of [null, '', undefined]) {
      const body = { ...create, alias: null, priority };
      const event = eventOf('opsgenie-api', { path: '/v2/alerts', body, dedup_key: 'given' });
      assert.deepEqual([event.dedupKey, event.severity], ['given', null]);
    }
  });

  it('closes, deletes, acknowledges and unacknowledges by any alias', () => {
    const alias = 'web / checkout: 100% „down“';
    for (const [path, method, action] of [
      ['close', 'POST', 'resolve'],
      ['acknowledge', 'POST', 'acknowledge'],
      ['unacknowledge', 'POST', 'unacknowledge'],
      ['', 'DELETE', 'resolve'],
    ] as const)
      for (const base of ['/v2/alerts', '/jsm/ops/integration/v2/alerts']) {
        const full = `${base}/${encodeURIComponent(alias)}${path && `/${path}`}`;
        const body = { user: 'Ada', note: 'on it' };
        const event = eventOf('opsgenie-api', { path: full, method, body });
        assert.deepEqual(
          [event.action, event.dedupKey, event.by, event.comment],
          [action, alias, 'Ada', 'on it'],
        );
      }
  });

  it('names a page by an alias with slashes, or by the id of the page with its key', () => {
    assert.equal(eventOf('opsgenie-api', { path: '/v2/alerts/disk/db-1/close' }).dedupKey, 'disk/db-1');
    const byId = eventOf('opsgenie-api', { path: '/v2/alerts/page_1/close', dedup_key: 'disk/db-1' });
    assert.equal(byId.dedupKey, 'disk/db-1');
  });

  it('shortens a key that is too long in the same way everywhere', () => {
    const alias = 'a'.repeat(512);
    const created = eventOf('opsgenie-api', { path: '/v2/alerts', body: { ...create, alias } });
    const closed = eventOf('opsgenie-api', { path: `/v2/alerts/${alias}/close` });
    assert.equal(created.dedupKey, closed.dedupKey);
    assert.equal(orderOf({ path: `/v2/alerts/${alias}/escalate` })?.dedupKey, closed.dedupKey);
  });

  it('requests actions that do not change the state', () => {
    const asked = (action: string, body: unknown, method = 'POST') => {
      const { dedupKey, at, ...rest } = orderOf({ path: `/v2/alerts/k/${action}`, body, method }) ?? {};
      assert.deepEqual([dedupKey, at], ['k', RECEIVED_AT]);
      return rest;
    };
    const nobody = { by: null, comment: null };
    assert.deepEqual(asked('notes', { note: 'n', user: 'Ada' }), {
      order: 'comment',
      by: 'Ada',
      comment: 'n',
    });
    assert.deepEqual(asked('message', { message: 'm' }, 'PUT'), { ...nobody, order: 'title', title: 'm' });
    assert.deepEqual(asked('description', { description: 'd' }, 'PUT'), {
      ...nobody,
      order: 'text',
      text: 'd',
    });
    assert.deepEqual(asked('priority', { priority: 'P2' }, 'PUT'), {
      ...nobody,
      order: 'severity',
      severity: 'P2',
    });
    assert.deepEqual(asked('escalate', { escalation: { name: 'x' } }), { ...nobody, order: 'escalate' });
    const until = Temporal.Instant.from('2026-11-20T08:00:00Z');
    assert.deepEqual(asked('snooze', { endTime: '2026-11-20T08:00:00Z' }), {
      ...nobody,
      order: 'snooze',
      until,
    });
    const ada = { kind: 'person', name: 'ada@example.com' };
    assert.deepEqual(asked('assign', { owner: { username: 'ada@example.com' } }), {
      ...nobody,
      order: 'add',
      responder: ada,
    });
    const sre = { kind: 'team', name: 'sre' };
    assert.deepEqual(asked('teams', { team: { name: 'sre' } }), { ...nobody, order: 'add', responder: sre });
    assert.deepEqual(asked('tags', { tags: ['a', 'b'] }), {
      by: null,
      order: 'comment',
      comment: 'Tags added: a, b',
    });
  });

  it('that lacks its field names it, and others change nothing', () => {
    for (const [action, field] of [
      ['notes', 'note'],
      ['snooze', 'endTime'],
      ['assign', 'owner'],
    ] as const)
      assert.match(errorOf('opsgenie-api', { path: `/v2/alerts/k/${action}` }), new RegExp(field));
    assert.match(errorOf('opsgenie-api', { path: '/v2/alerts', body: { alias: 'k' } }), /"message"/);
    assert.ok('ignored' in read('opsgenie-api', { path: '/v2/alerts/k/actions/restart' }));
    assert.ok('ignored' in read('opsgenie-api', { path: '/v2/alerts/k/details', method: 'DELETE' }));
  });

  it('has separate paths for reads and actions', () => {
    const of = (method: string, path: string) => opsgenieTarget(method, path).kind;
    assert.equal(of('GET', '/v2/alerts'), 'list');
    assert.equal(of('POST', '/v2/alerts/'), 'create');
    assert.equal(of('GET', '/v2/alerts/count'), 'count');
    assert.equal(of('GET', '/v2/alerts/requests/request_1'), 'request');
    assert.equal(of('GET', '/v2/alerts/k'), 'alert');
    assert.equal(of('GET', '/v2/alerts/k/notes'), 'read');
    assert.equal(of('POST', '/v2/alerts/close/close'), 'action');
    assert.equal(of('POST', '/moment/x'), 'none');
  });
});

describe('a call of Splunk On-Call (VictorOps)', () => {
  const path = '/integrations/generic/20131114/alert/****cdef/payments';
  const body = {
    ...{
      message_type: 'critical',
      entity_id: 'db-1',
      entity_display_name: 'Disk of db-1',
      monitoring_tool: 'Salt',
    },
    ...{ state_message: '98 %', state_start_time: 1_795_000_000, host: 'db-1' },
  };

  it('opens, acknowledges and ends, and names its routing key', () => {
    const event = eventOf('victorops', { path, body });
    assert.deepEqual([event.action, event.dedupKey, event.severity], ['open', 'db-1', 'CRITICAL']);
    assert.deepEqual([event.name, event.source], ['Disk of db-1', 'Salt']);
    assert.deepEqual(event.labels, ['routing=payments', 'monitoring_tool=Salt', 'host=db-1']);
    const follow = (message_type: string) =>
      eventOf('victorops', { path, body: { ...body, message_type, ack_author: 'Ada' } });
    assert.deepEqual([follow('ACKNOWLEDGEMENT').action, follow('ack').by], ['acknowledge', 'Ada']);
    assert.equal(follow('RECOVERY').action, 'resolve');
    assert.equal(follow('INFO').pages, false);
    assert.match(errorOf('victorops', { path, body: { ...body, message_type: 'LOUD' } }), /"LOUD"/);
  });
});

describe('a call of GoAlert', () => {
  it('is a form, JSON or a query, and ends by the key with which it began', () => {
    const fields = { summary: 'Disk full', details: 'of *db-1*' };
    const path = '/api/v2/generic/incoming';
    const begins = [
      eventOf('goalert', { path, body: fields }),
      eventOf('goalert', { path, body: new URLSearchParams(fields).toString() }),
      eventOf('goalert', { path, query: fields }),
    ];
    const end = eventOf('goalert', { path, body: { ...fields, action: 'close' } });
    assert.equal(end.action, 'resolve');
    assert.deepEqual(new Set(begins.map(({ dedupKey }) => dedupKey)), new Set([end.dedupKey]));
    assert.equal(begins[0]?.description, 'of *db-1*');
    assert.equal(eventOf('goalert', { path, query: { dedup: 'k' }, body: fields }).dedupKey, 'k');
    assert.match(errorOf('goalert', { path }), /"summary"/);
  });

  it('of Site24x7 is about a monitor, which is down, in trouble or up', () => {
    const path = '/api/v2/site24x7/incoming';
    const monitor = {
      MONITORNAME: 'Shop',
      MONITOR_DASHBOARD_LINK: 'https://www.site24x7.com/app/client',
      MONITORTYPE: 'URL',
      INCIDENT_REASON: 'Connection timed out',
    };
    const follow = (STATUS: string) => eventOf('goalert', { path, body: { ...monitor, STATUS } });
    const down = follow('DOWN');
    assert.deepEqual(
      [down.action, down.name, down.priority, down.severity, down.sourceUrl],
      ['open', 'Shop is down', 'high', 'DOWN', monitor.MONITOR_DASHBOARD_LINK],
    );
    assert.match(down.description ?? '', /Connection timed out\n\n\*\*Kind:\*\* URL/);
    assert.deepEqual([follow('CRITICAL').priority, follow('Trouble').priority], ['high', 'medium']);
    const up = follow('UP');
    assert.deepEqual([up.action, up.dedupKey], ['resolve', down.dedupKey]);
    const query = { dedup: 'shop' };
    assert.equal(eventOf('goalert', { path, query, body: { ...monitor, STATUS: 'UP' } }).dedupKey, 'shop');
    assert.match(errorOf('goalert', { path, body: { ...monitor, STATUS: 'SUSPENDED' } }), /"SUSPENDED"/);
    assert.match(errorOf('goalert', { path, body: { STATUS: 'DOWN' } }), /"MONITORNAME"/);
    assert.match(errorOf('goalert', { path, body: 'down' }), /an alert of Site24x7 is expected/);
  });
});

describe('a call of Grafana OnCall', () => {
  it('is a formatted webhook, or any JSON', () => {
    const path = '/integrations/v1/formatted_webhook/****cdef/';
    const body = {
      ...{ alert_uid: 'u', title: 'Disk full', state: 'alerting', message: 'of db-1' },
      ...{ link_to_upstream_details: 'https://example.com/1', image_url: 'https://example.com/1.png' },
    };
    const event = eventOf('grafana-oncall', { path, body });
    assert.deepEqual([event.action, event.dedupKey, event.name], ['open', 'u', 'Disk full']);
    assert.equal(event.sourceUrl, 'https://example.com/1');
    assert.equal(eventOf('grafana-oncall', { path, body: { ...body, state: 'ok' } }).action, 'resolve');
    const other = eventOf('grafana-oncall', { path: '/integrations/v1/webhook/t/', body: { hello: 'you' } });
    assert.deepEqual([other.action, other.dedupKey], ['open', null]);
  });
});

describe('the adapters of dialects', () => {
  it('make complete events or give the reason, whatever is stored', () => {
    const path = fc.constantFrom(
      ...[
        '/v2/enqueue',
        '/v2/change/enqueue',
        '/generic/2010-04-15/create_event.json',
        '/v2/alerts',
        '/v2/alerts/k/close',
      ],
      ...[
        '/v2/alerts/k/snooze',
        '/integrations/v1/webhook/t/',
        '/integrations/v1/alertmanager/t/',
        '/api/v2/grafana/incoming',
      ],
    );
    const words = fc.constantFrom('trigger', 'resolve', 'CRITICAL', 'ok', 'close', 'P1', 'k');
    const names = fc.constantFrom(
      ...[
        'event_action',
        'event_type',
        'dedup_key',
        'payload',
        'summary',
        'message',
        'alias',
        'endTime',
        'details',
      ],
      ...['message_type', 'entity_id', 'title', 'state', 'links', 'tags', 'responders', 'custom_details'],
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(words, fc.jsonValue(), fc.dictionary(names, tie('value'), { maxKeys: 6 })),
    }));
    fc.assert(
      fc.property(path, fc.oneof(value, fc.string()), (at, body) => {
        for (const dialect of [
          'pagerduty-events',
          'opsgenie-api',
          'victorops',
          'goalert',
          'grafana-oncall',
        ]) {
          const result = read(dialect, { path: at, body });
          if ('error' in result) assert.match(result.error, /\.$/);
          else if ('events' in result)
            for (const event of result.events) {
              assert.ok(event.name.length > 0 && (event.dedupKey ?? '').length <= 255, JSON.stringify(event));
              assert.ok(event.name.isWellFormed() && (event.description ?? '').isWellFormed());
            }
        }
      }),
    );
  });
});
