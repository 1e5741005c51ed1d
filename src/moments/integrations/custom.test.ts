import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { adapterContract, eventsOf, readBody, samplesOf } from './adapter.contract.ts';
import { api } from './api.ts';
import { custom } from './custom.ts';

adapterContract('custom', custom, { forms: false });

describe('the custom form', () => {
  it('does not change texts', () => {
    const [event] = eventsOf(custom, samplesOf('custom').get('full') ?? '');
    assert.deepEqual(
      { ...event, occurredAt: String(event?.occurredAt), at: String(event?.at) },
      {
        dedupKey: null,
        action: 'open',
        opens: false,
        name: 'Checkout is slow',
        type: 'incident',
        priority: 'medium',
        description: '**p99** is 4 s',
        source: 'load test',
        sourceUrl: 'https://example.com/runs/7',
        occurredAt: '2026-11-19T21:15:00Z',
        at: '2026-11-20T06:00:00Z',
      },
    );
  });

  it('acts on an earlier moment by its key and state', () => {
    const read = (more: object) => readBody(custom, JSON.stringify({ name: 'Disk', type: 'alert', ...more }));
    const [ended] = eventsOf(
      custom,
      '{"name":"Disk","type":"alert","dedup_key":"disk/db-1","state":"Resolved"}',
    );
    assert.deepEqual([ended?.dedupKey, ended?.action], ['disk/db-1', 'resolve']);
    const taken = read({ dedup_key: 'k'.repeat(255), state: 'acknowledged' });
    assert.ok('events' in taken && taken.events[0]?.action === 'acknowledge' && taken.events[0].opens);
    for (const [more, problem] of [
      [{ state: 'resolved' }, /^dedup_key is missing, and the state is resolved; give the dedup_key /],
      [{ dedup_key: 'k', state: 'closed' }, /state is "closed"/],
      [{ dedup_key: '' }, /dedup_key is empty/],
      [{ dedup_key: 'k'.repeat(256) }, /dedup_key/],
    ] as const) {
      const result = read(more);
      assert.match('error' in result ? result.error : '', problem);
    }
    assert.ok('events' in read({ state: 'open' }), 'open needs no key');
  });

  it('names every problem in one sentence each', () => {
    const result = readBody(custom, '{"name": "", "occurred_at": "yesterday"}');
    assert.ok('error' in result);
    assert.match(result.error, /type is missing; .*name is empty; .*occurred_at is "yesterday"/s);
  });
});

describe('the API form', () => {
  it('has a priority and a name of up to 255 characters, and no fields of the webhook form', () => {
    const body = {
      name: 'n'.repeat(255),
      type: 'Near_Miss',
      priority: 'HIGH',
      source: 'x',
      occurred_at: 'y',
    };
    const [event] = eventsOf(api, JSON.stringify(body));
    assert.equal(event?.name.length, 255);
    assert.equal(event?.type, 'near-miss');
    assert.equal(event?.priority, 'high');
    assert.equal(event?.source, null);
    assert.ok('error' in readBody(api, JSON.stringify({ ...body, name: 'n'.repeat(256) })));
  });
});
