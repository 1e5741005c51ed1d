import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CHANNEL, CHANNELS, type ChannelName } from './channels/contract.ts';
import { heldUntil, type Recent, WINDOW_MS } from './limits.ts';

const START = Temporal.Instant.from('2026-11-20T09:00:00Z');

/** The notifications that were sent within the window before an instant. */
function recentAt(left: readonly Temporal.Instant[], at: Temporal.Instant): Recent | undefined {
  const since = at.subtract({ milliseconds: WINDOW_MS });
  const within = left.filter((one) => Temporal.Instant.compare(one, since) > 0);
  const [oldest] = within;
  return oldest && { count: within.length, oldest };
}

describe('the limits during a storm', () => {
  it('are those of the contract', () => {
    const limits = CHANNELS.map((channel) => [channel, CHANNEL[channel].mostPerMinute]);
    assert.deepEqual(Object.fromEntries(limits), {
      voice: 1,
      sms: 5,
      chat: 20,
      email: 20,
      push: 20,
      webhook: null,
      browser: null,
    });
  });

  it('hold an excess notification until the oldest of a full window is a minute old', () => {
    const oldest = START.subtract({ seconds: 20 });
    const recent = (count: number) => ({ count, oldest });
    assert.equal(heldUntil('voice', undefined), null);
    assert.equal(String(heldUntil('voice', recent(1))), '2026-11-20T09:00:40Z');
    assert.equal(heldUntil('sms', recent(4)), null);
    assert.equal(String(heldUntil('sms', recent(5))), '2026-11-20T09:00:40Z');
    assert.equal(String(heldUntil('sms', recent(500))), '2026-11-20T09:00:40Z');
    for (const channel of ['webhook', 'browser'] as const)
      assert.equal(heldUntil(channel, recent(9_999)), null);
  });

  it('never let more through within a minute, and release held ones on time', () => {
    const limited = fc.constantFrom<ChannelName>('voice', 'sms', 'chat', 'email', 'push');
    const waits = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 80 });
    fc.assert(
      fc.property(limited, waits, (channel, waits) => {
        const left: Temporal.Instant[] = [];
        let at = START;
        for (const wait of waits) {
          at = at.add({ milliseconds: wait });
          const until = heldUntil(channel, recentAt(left, at));
          if (until === null) {
            left.push(at);
            assert.ok((recentAt(left, at)?.count ?? 0) <= (CHANNEL[channel].mostPerMinute ?? 0));
          } else {
            assert.ok(Temporal.Instant.compare(until, at) > 0, 'held for some time');
            assert.equal(heldUntil(channel, recentAt(left, until)), null, 'and no longer');
          }
        }
      }),
    );
  });
});
