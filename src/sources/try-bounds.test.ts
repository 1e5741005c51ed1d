import assert from 'node:assert/strict';
import { it } from 'node:test';
import { momentEvent } from '../moments/event.ts';
import type { ClaimedCall } from '../webhooks/call-store.ts';
import { bounded } from './try-bounds.ts';
import { MOST_TRIED_EVENTS } from './try-contract.ts';

const AT = Temporal.Instant.from('2026-03-02T10:00:00Z');
const call = {} as ClaimedCall;

function withEvents(count: number) {
  const events = Array.from({ length: count }, (_, index) =>
    momentEvent(
      {
        ...{
          name: `Alert ${index}`,
          action: 'open',
          type: 'alert',
          priority: 'low',
          dedupKey: String(index),
        },
        ...{ description: null, source: null, sourceUrl: null, occurredAt: AT, at: AT },
      },
      AT,
    ),
  );
  return bounded({ call, result: { events }, senderCallId: null });
}

it('a dry run processes the first events of a call up to the limit, and counts the others', () => {
  for (const [count, kept, leftOut] of [
    [MOST_TRIED_EVENTS, MOST_TRIED_EVENTS, 0],
    [MOST_TRIED_EVENTS + 1, MOST_TRIED_EVENTS, 1],
  ]) {
    const { read, leftOut: out } = withEvents(count ?? 0);
    assert.ok('events' in read.result);
    assert.deepEqual([read.result.events.length, out], [kept, leftOut]);
    assert.equal(read.result.events[0]?.name, 'Alert 0');
  }
});
