import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { MomentEvent } from './event.ts';
import type { Moment } from './moment.ts';
import { type EndOfNone, followUpKey, planRecording, type Recording } from './recording.ts';

const NOON = Temporal.Instant.from('2026-11-20T12:00:00Z');
const origin = { organizationId: 'organization_1', teamId: 'team_1', webhookId: 'webhook_1' };

function event(action: MomentEvent['action'], minute: number, more: Partial<MomentEvent> = {}): MomentEvent {
  const at = NOON.add({ minutes: minute });
  return {
    ...{ dedupKey: 'disk', action, name: `at ${minute}`, type: 'alert', priority: 'medium' },
    ...{ description: null, source: null, sourceUrl: null, occurredAt: at, at, ...more },
  };
}

/** Stores moments like the store does, and records one event per call. */
function ledger() {
  const moments = new Map<string, Moment>();
  const ended = new Map<string, EndOfNone>();
  let ids = 0;
  function known(): Map<string, Moment> {
    const sorted = [...moments.values()].sort(
      (a, b) => Number(a.state !== 'resolved') - Number(b.state !== 'resolved'),
    );
    return new Map(sorted.map((moment) => [followUpKey(moment.webhookId, moment.dedupKey ?? ''), moment]));
  }
  return {
    moments,
    record(...events: MomentEvent[]): Recording {
      const batches = events.map((each, index) => ({
        ...origin,
        callId: `n${index}`,
        events: [each],
      }));
      const recording = planRecording(batches, known(), () => `moment_${++ids}`, ended);
      for (const { webhookId, dedupKey, endedAt, parts } of recording.ends)
        ended.set(followUpKey(webhookId, dedupKey), { endedAt, parts });
      for (const moment of [...recording.created, ...recording.changed]) moments.set(moment.id, moment);
      return recording;
    },
    only(): Moment {
      const [moment, ...others] = moments.values();
      assert.ok(moment && others.length === 0, `there are ${moments.size} moments`);
      return moment;
    },
  };
}

describe('an acknowledgement by the sender', () => {
  const byAda = { by: 'Ada Lovelace', comment: 'on it' };

  it('is kept with its author and comment, and later calls change name, severity and text', () => {
    const { record, only } = ledger();
    record(event('open', 0, { description: 'first' }));
    record(
      event('acknowledge', 1, { ...byAda, priority: 'high', severity: 'critical', description: 'second' }),
    );
    const { state, acknowledgedAs, acknowledgedComment, priority, name, description } = only();
    assert.deepEqual([state, acknowledgedAs, acknowledgedComment], ['acknowledged', 'Ada Lovelace', 'on it']);
    assert.deepEqual([priority, name, description], ['high', 'at 1', 'second']);
    record(event('open', 2, { priority: 'low' }));
    record(event('acknowledge', 3));
    assert.deepEqual([only().state, only().priority, only().name], ['acknowledged', 'low', 'at 3']);
    assert.equal(only().acknowledgedAs, 'Ada Lovelace', 'the last one names nobody');
  });

  it('ends when the problem gets worse, with its author', () => {
    const { record, only } = ledger();
    record(event('open', 0), event('acknowledge', 1, byAda));
    record(event('open', 2, { priority: 'high' }));
    const { state, acknowledgedAt, acknowledgedAs, acknowledgedComment } = only();
    assert.deepEqual(
      [state, acknowledgedAt, acknowledgedAs, acknowledgedComment],
      ['open', null, null, null],
    );
  });

  it('changes no texts if it has none', () => {
    const { record, only } = ledger();
    record(event('open', 0, { description: 'first' }), event('acknowledge', 1, { ...byAda, bare: true }));
    assert.deepEqual([only().name, only().description, only().state], ['at 0', 'first', 'acknowledged']);
  });

  it('opens a moment in that state if it describes it completely and none is open', () => {
    const { record, only, moments } = ledger();
    record(event('acknowledge', 0, byAda));
    assert.equal(moments.size, 0);
    record(event('acknowledge', 1, { ...byAda, opens: true }));
    assert.deepEqual([only().state, only().acknowledgedAs], ['acknowledged', 'Ada Lovelace']);
    record(event('resolve', 2));
    assert.equal(only().state, 'resolved');
  });
});

describe('events about the same problem', () => {
  it('make one moment that follows it', () => {
    const { record, only } = ledger();
    record(event('open', 0));
    record(event('open', 1, { priority: 'high', description: 'worse' }));
    assert.equal(only().state, 'open');
    assert.equal(only().priority, 'high');
    assert.equal(only().description, 'worse');
    assert.ok(only().occurredAt.equals(NOON), 'when it began stays');
    record(event('acknowledge', 2));
    assert.equal(only().state, 'acknowledged');
    record(event('open', 3, { priority: 'low' }));
    assert.equal(only().state, 'acknowledged', 'a repeated firing takes no acknowledgement back');
    record(event('resolve', 4, { description: 'fine' }));
    assert.equal(only().state, 'resolved');
    assert.ok(only().resolvedAt?.equals(NOON.add({ minutes: 4 })));
    assert.equal(only().description, 'worse', 'the last words about the trouble stay');
  });

  it('do so within one batch as well', () => {
    const { record, only } = ledger();
    const { created, changed, results } = record(event('open', 0), event('open', 0), event('resolve', 1));
    assert.equal(created.length, 1);
    assert.equal(changed.length, 0, 'a new moment is written once, as it ended');
    assert.equal(only().state, 'resolved');
    assert.deepEqual(
      results.map(({ created: made, changed: followed, momentIds }) => [made, followed, momentIds.length]),
      [
        [1, 0, 1],
        [0, 1, 1],
        [0, 1, 1],
      ],
    );
  });

  it('make a new moment after the end', () => {
    const { record, moments } = ledger();
    record(event('open', 0));
    record(event('resolve', 1));
    record(event('open', 2));
    assert.deepEqual(
      [...moments.values()].map(({ state }) => state),
      ['resolved', 'open'],
    );
  });

  it('change nothing if they are late', () => {
    const { record, only } = ledger();
    record(event('open', 0));
    record(event('resolve', 5));
    const { results } = record(event('open', 3));
    assert.equal(only().state, 'resolved');
    assert.match(results[0]?.reasons[0] ?? '', /older than the latest one/);
    assert.deepEqual(results[0]?.momentIds, [only().id], 'it is still known what they are about');
  });

  it('do not end a problem that began again after them', () => {
    const { record, only } = ledger();
    record(event('open', 10));
    record(event('resolve', 5));
    assert.equal(only().state, 'open');
  });

  it('reopen it if their sender takes its acknowledgement back', () => {
    const { record, only } = ledger();
    record(event('open', 0));
    record(event('acknowledge', 1));
    record(event('unacknowledge', 2, { name: 'nobody is on it' }));
    assert.deepEqual([only().state, only().acknowledgedAt, only().name], ['open', null, 'nobody is on it']);
    record(event('acknowledge', 3));
    assert.equal(only().state, 'acknowledged');
  });

  it('leave it acknowledged by a person of ours, whatever their sender reports', () => {
    const { record, only, moments } = ledger();
    record(event('open', 0));
    const acknowledged = { state: 'acknowledged' as const, acknowledgedAt: NOON, acknowledgedBy: 'ada' };
    const opened = only();
    moments.set(opened.id, { ...opened, ...acknowledged });
    record(event('unacknowledge', 2));
    assert.deepEqual([only().state, only().acknowledgedBy], ['acknowledged', 'ada']);
  });

  it('begin one if all that is known is that nobody handles it', () => {
    const { record, only } = ledger();
    record(event('unacknowledge', 0));
    assert.equal(only().state, 'open');
  });

  it('open nothing if the end arrived before the start', () => {
    const { record, moments } = ledger();
    record(event('resolve', 5));
    const { results } = record(event('open', 3));
    assert.match(results[0]?.reasons[0] ?? '', /older than the latest one/);
    assert.equal(moments.size, 0);
    record(event('open', 6));
    assert.equal(moments.size, 1);
  });

  it('begin nothing again if a second end overtakes a second beginning', () => {
    const { record, only, moments } = ledger();
    record(event('open', 0), event('resolve', 1));
    record(event('resolve', 9));
    record(event('open', 5));
    assert.deepEqual([only().state, only().resolvedAt?.toString()], ['resolved', '2026-11-20T12:01:00Z']);
    record(event('open', 10));
    assert.equal(moments.size, 2);
  });

  it('do nothing if they end a problem that never began', () => {
    const { record, moments } = ledger();
    for (const action of ['resolve', 'acknowledge'] as const) {
      const { results } = record(event(action, 0));
      assert.match(results[0]?.reasons[0] ?? '', /No open moment has this key/);
    }
    assert.equal(moments.size, 0);
  });

  it('are separate from events of other webhooks and of none', () => {
    const batches = ['webhook_1', 'webhook_2'].map((webhookId) => ({
      ...{ ...origin, webhookId, callId: webhookId },
      events: [event('open', 0), event('open', 0, { dedupKey: null }), event('open', 0, { dedupKey: null })],
    }));
    let ids = 0;
    const { created } = planRecording(batches, new Map(), () => `moment_${++ids}`);
    assert.equal(created.length, 6);
  });

  it('never create two open moments, and never go back in time', () => {
    const action = fc.constantFrom(
      'open' as const,
      'acknowledge' as const,
      'unacknowledge' as const,
      'resolve' as const,
    );
    const key = fc.constantFrom('disk', 'cpu');
    const story = fc.array(fc.record({ action, key, minute: fc.nat({ max: 1_000 }), alone: fc.boolean() }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(story, (steps) => {
        const { record, moments } = ledger();
        const events = steps.map((step) => event(step.action, step.minute, { dedupKey: step.key }));
        for (const [index, each] of events.entries()) {
          const before = new Map(moments);
          if (steps[index]?.alone) record(each);
          else record(each, each);
          for (const name of ['disk', 'cpu']) {
            const mine = [...moments.values()].filter(({ dedupKey }) => dedupKey === name);
            assert.ok(mine.filter(({ state }) => state !== 'resolved').length <= 1);
          }
          for (const [id, old] of before) assertOnlyForward(each, old, moments.get(id));
        }
      }),
    );
  });
});

function assertOnlyForward({ action }: MomentEvent, old: Moment, now: Moment | undefined): void {
  assert.ok(now && Temporal.Instant.compare(now.lastEventAt, old.lastEventAt) >= 0);
  if (old.state === 'resolved') assert.deepEqual(now, old, 'what has ended stays as it ended');
  if (old.state === 'acknowledged' && action !== 'unacknowledge') assert.notEqual(now.state, 'open');
}
