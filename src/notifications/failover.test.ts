import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decideFailover, type RunDelivery } from './failover.ts';

const NOW = Temporal.Instant.from('2026-11-20T09:00:00Z');

let made = 0;
/** A delivery of rule 1; `in`: due so many seconds from now. */
function delivery(
  channel: RunDelivery['channel'],
  state: RunDelivery['state'],
  more: { rule?: number; in?: number; held?: boolean } = {},
): RunDelivery {
  const { rule = 1, in: seconds = 0, held = false } = more;
  return { id: `${channel} ${rule} ${++made}`, channel, rule, state, held, dueAt: NOW.add({ seconds }) };
}

const decide = (fellBack: boolean, ...run: RunDelivery[]) => decideFailover(run, fellBack, NOW);

const deliveries = fc.array(
  fc.record<RunDelivery>({
    id: fc.uuid(),
    channel: fc.constantFrom('push', 'sms', 'voice', 'chat', 'email', 'webhook', 'browser'),
    rule: fc.integer({ min: 0, max: 3 }),
    state: fc.constantFrom(
      'waiting',
      'sending',
      'retrying',
      'accepted',
      'delivered',
      'failed',
      'cancelled',
      'bundled',
    ),
    held: fc.boolean(),
    dueAt: fc.integer({ min: -300, max: 300 }).map((seconds) => NOW.add({ seconds })),
  }),
  { maxLength: 6 },
);

describe('when a delivery fails', () => {
  it('the channels of the next rule start at once, all of them, and no later ones', () => {
    const [sms, chat] = [
      delivery('sms', 'waiting', { rule: 2, in: 60 }),
      delivery('chat', 'waiting', { rule: 2, in: 60 }),
    ];
    const call = delivery('voice', 'waiting', { rule: 3, in: 120 });
    assert.deepEqual(decide(false, delivery('push', 'failed'), call, sms, chat), {
      kind: 'hasten',
      deliveryIds: [sms.id, chat.id],
    });
  });

  it('nothing else happens while another delivery is being sent or has arrived', () => {
    const later = delivery('voice', 'waiting', { rule: 2, in: 120 });
    const failed = delivery('push', 'failed');
    for (const state of ['sending', 'accepted', 'delivered', 'bundled'] as const)
      assert.deepEqual(decide(false, failed, delivery('sms', state), later), { kind: 'none' }, state);
    assert.deepEqual(decide(false, failed, delivery('sms', 'waiting'), later), { kind: 'none' }, 'due now');
    assert.deepEqual(
      decide(false, failed, delivery('sms', 'waiting', { in: 30, held: true }), later),
      { kind: 'none' },
      'held',
    );
  });

  it('a delivery that is only retried does not delay the next', () => {
    const later = delivery('voice', 'waiting', { rule: 2, in: 120 });
    assert.deepEqual(decide(false, delivery('push', 'retrying'), later), {
      kind: 'hasten',
      deliveryIds: [later.id],
    });
    assert.deepEqual(decide(false, delivery('push', 'retrying')), { kind: 'fall-back' });
    assert.deepEqual(decide(true, delivery('push', 'retrying')), { kind: 'none' });
  });

  it('every other method is tried when no rule is left, and then the person is unreachable', () => {
    assert.deepEqual(decide(false, delivery('push', 'failed'), delivery('sms', 'cancelled')), {
      kind: 'fall-back',
    });
    assert.deepEqual(decide(true, delivery('push', 'failed'), delivery('sms', 'failed')), {
      kind: 'unreachable',
    });
    assert.deepEqual(decide(true), { kind: 'unreachable' });
  });

  it('an open dashboard delays nothing, but a person who sees it is not unreachable', () => {
    const seen = delivery('browser', 'delivered');
    const later = delivery('sms', 'waiting', { rule: 2, in: 60 });
    assert.deepEqual(decide(false, seen, later), { kind: 'hasten', deliveryIds: [later.id] });
    assert.deepEqual(decide(false, seen), { kind: 'fall-back' });
    assert.deepEqual(decide(true, seen, delivery('sms', 'failed')), { kind: 'none' });
    assert.deepEqual(decide(true, delivery('browser', 'failed')), { kind: 'unreachable' });
  });

  it('never waits for nothing: either somebody is being notified, or a step follows', () => {
    fc.assert(
      fc.property(deliveries, fc.boolean(), (run, fellBack) => {
        const hope = run.some(
          ({ channel, state, dueAt, held }) =>
            ['sending', 'accepted', 'delivered', 'bundled'].includes(state) ||
            (state === 'retrying' && channel !== 'browser') ||
            (state === 'waiting' && (held || Temporal.Instant.compare(dueAt, NOW) <= 0)),
        );
        const decision = decideFailover(run, fellBack, NOW);
        if (decision.kind === 'none') assert.ok(hope);
        if (decision.kind === 'unreachable') assert.ok(!hope && fellBack);
        if (decision.kind === 'fall-back') assert.ok(!fellBack);
        if (decision.kind !== 'hasten') return;
        const hastened = run.filter(({ id }) => decision.deliveryIds.includes(id));
        assert.ok(hastened.length > 0);
        assert.ok(hastened.every(({ state, channel }) => state === 'waiting' && channel !== 'browser'));
        assert.equal(new Set(hastened.map(({ rule }) => rule)).size, 1);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ends: a delivery that fails early starts the next, until none is left', () => {
    fc.assert(
      fc.property(deliveries, (given) => {
        let run = given.map((one) =>
          one.state === 'waiting' ? { ...one, held: false } : { ...one, state: 'failed' as const },
        );
        let fellBack = false;
        for (let turn = 0; turn < 10; turn++) {
          const decision = decideFailover(run, fellBack, NOW);
          if (decision.kind === 'unreachable') return;
          if (decision.kind === 'fall-back') fellBack = true;
          const ids =
            decision.kind === 'hasten'
              ? decision.deliveryIds
              : run.filter(({ dueAt }) => Temporal.Instant.compare(dueAt, NOW) <= 0).map(({ id }) => id);
          run = run.map((one) =>
            ids.includes(one.id) || one.channel === 'browser' ? { ...one, state: 'failed' as const } : one,
          );
        }
        assert.fail('it never ends');
      }),
    );
  });
});
