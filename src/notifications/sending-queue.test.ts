import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Outgoing } from './outcome-store.ts';
import { createSendingQueue, type Leased } from './sending-queue.ts';

function leased(deliveryId: string, turnOf: string, turnRank = 0): Leased {
  return {
    outgoing: { deliveryId, organizationId: 'acme', turnOf, turnRank } as Outgoing,
    leasedAt: 0,
  };
}

describe('the queue of a channel', () => {
  it('sends a page of a quiet team after one more of a busy one, however many the busy one has queued', () => {
    const queue = createSendingQueue(1);
    for (let n = 0; n < 500; n++) queue.push(leased(`loud ${n}`, 'loud', 2));
    const running = queue.begin();
    assert.equal(running?.outgoing.deliveryId, 'loud 0');
    queue.push(leased('quiet', 'quiet'));
    assert.equal(queue.begin(), undefined, 'one call at a time');
    if (running) queue.ended(running);
    const next = [0, 1].map(() => {
      const begun = queue.begin();
      if (begun) queue.ended(begun);
      return begun?.outgoing.deliveryId;
    });
    assert.deepEqual(next, ['loud 1', 'quiet']);
  });

  it("keeps a quarter of its calls for others when one team's provider hangs", () => {
    const queue = createSendingQueue(20);
    for (let n = 0; n < 100; n++) queue.push(leased(`loud ${n}`, 'loud'));
    let hanging = 0;
    while (queue.begin()) hanging++;
    assert.equal(hanging, 15);
    queue.push(leased('quiet', 'quiet'));
    assert.equal(queue.begin()?.outgoing.deliveryId, 'quiet');
    assert.equal(queue.begin(), undefined);
  });

  it('is full for the busy team first, and for all at its limit', () => {
    const queue = createSendingQueue(20);
    const push = (turnOf: string, count: number) => {
      for (let n = 0; n < count; n++) queue.push(leased(`${turnOf} ${n}`, turnOf));
    };
    push('loud', 299);
    assert.deepEqual([queue.full, queue.fullFor('acme', 'loud')], [false, false]);
    push('loud', 1);
    assert.deepEqual([queue.full, queue.fullFor('acme', 'loud')], [true, true]);
    assert.equal(queue.fullFor('acme', 'quiet'), false);
    push('quiet', 30);
    assert.equal(queue.fullFor('acme', 'quiet'), true);
    assert.equal(queue.fullFor('acme', 'third'), false);
    push('loud', 270);
    assert.equal(queue.fullFor('acme', 'third'), true, '600 wait');
    assert.equal(queue.clear().length, 600);
    assert.equal(queue.full, false);
  });
});
