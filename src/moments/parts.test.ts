import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { MomentEvent } from './event.ts';
import type { Moment } from './moment.ts';
import { mergedParts, PARTS_LIMIT, type Part, type Parts } from './parts.ts';
import { type EndOfNone, followUpKey, planRecording } from './recording.ts';

const NOON = Temporal.Instant.from('2026-11-20T12:00:00Z');
const minutes = (minute: number) => NOON.epochMilliseconds + minute * 60_000;
const origin = { organizationId: 'organization_1', teamId: 'team_1', webhookId: 'webhook_1' };

type Told = { is: 'firing' | 'ended'; minute: number };

/** A call about a group: `{a: 0}` fires since then, `{a: [0, 5]}` has ended. */
type Group = Record<string, number | [began: number, ended: number]>;

function told(group: Group): MomentEvent {
  const alerts = Object.entries(group).map(([name, times]): [string, Told] =>
    typeof times === 'number'
      ? [name, { is: 'firing', minute: times }]
      : [name, { is: 'ended', minute: times[1] }],
  );
  const at = NOON.add({ minutes: Math.max(...alerts.map(([, { minute }]) => minute)) });
  return {
    ...{ dedupKey: 'group', name: alerts.map(([name]) => name).join(' '), type: 'alert', priority: 'medium' },
    ...{ description: null, source: null, sourceUrl: null, occurredAt: at, at },
    action: alerts.some(([, { is }]) => is === 'firing') ? 'open' : 'resolve',
    parts: Object.fromEntries(alerts.map(([name, { is, minute }]) => [name, { is, at: minutes(minute) }])),
  };
}

/** The moments of one group, as the store keeps them. */
function ledger() {
  const moments: Moment[] = [];
  const key = followUpKey('webhook_1', 'group');
  const ended = new Map<string, EndOfNone>();
  let ids = 0;
  function take(...events: MomentEvent[]): string[] {
    const newest = moments.find(({ state }) => state !== 'resolved') ?? moments.at(-1);
    const batches = events.map((event) => ({ ...origin, callId: 'n', events: [event] }));
    const known = new Map(newest ? [[key, newest]] : []);
    const recording = planRecording(batches, known, () => `moment_${++ids}`, ended);
    for (const end of recording.ends) ended.set(key, end);
    for (const moment of recording.changed) moments[moments.findIndex(({ id }) => id === moment.id)] = moment;
    moments.push(...recording.created);
    return moments.map(({ state }) => state);
  }
  return {
    moments,
    take,
    /** The resulting states of all moments. */
    hear: (group: Group) => take(told(group)),
    /** The state that `resolveMoment` leaves. */
    resolveByPerson(): void {
      const last = moments.pop() ?? assert.fail('there is no moment');
      const lastEventAt = last.lastEventAt.add({ microseconds: 1 });
      moments.push({ ...last, state: 'resolved', resolvedAt: lastEventAt, lastEventAt });
    },
  };
}

describe('a part of a group that was silenced until the group had ended', () => {
  /** A has fired and ended. */
  function afterwards() {
    const made = ledger();
    made.hear({ a: 5 });
    assert.deepEqual(made.hear({ a: [5, 10] }), ['resolved']);
    return made;
  }

  it('is a new moment, which repeats update and its own end resolves', () => {
    const { hear, moments } = afterwards();
    assert.deepEqual(hear({ b: 2 }), ['resolved', 'open']);
    assert.deepEqual(hear({ b: 2 }), ['resolved', 'open']);
    assert.equal(moments[1]?.name, 'b');
    assert.deepEqual(hear({ b: [2, 20] }), ['resolved', 'resolved']);
    assert.deepEqual(
      hear({ b: 2 }),
      ['resolved', 'resolved'],
      'what is repeated after the end opens nothing',
    );
    assert.deepEqual(hear({ a: 5 }), ['resolved', 'resolved'], 'nor what the moment before was about');
    assert.deepEqual(hear({ a: 30 }), ['resolved', 'resolved', 'open']);
  });

  it('is not ended by a repetition of the end of the others', () => {
    const { hear } = afterwards();
    hear({ b: 2 });
    assert.deepEqual(hear({ a: [5, 10] }), ['resolved', 'open']);
    assert.deepEqual(hear({ a: 5 }), ['resolved', 'open']);
    assert.deepEqual(hear({ b: [2, 20] }), ['resolved', 'resolved']);
  });

  it('is a new moment even if it fired before it was silenced, because its end was never reported', () => {
    const { hear } = ledger();
    hear({ a: 5, b: 2 });
    assert.deepEqual(hear({ a: [5, 10] }), ['resolved']);
    assert.deepEqual(hear({ a: 5, b: 2 }), ['resolved'], 'from before the end of a');
    assert.deepEqual(hear({ b: 2 }), ['resolved', 'open']);
  });

  it('is a new moment even if it fired and ended before, and fires again', () => {
    const { hear } = ledger();
    hear({ a: 5, b: 2 });
    hear({ a: 5, b: [2, 6] });
    assert.deepEqual(hear({ a: [5, 10] }), ['resolved']);
    assert.deepEqual(hear({ b: 2 }), ['resolved']);
    assert.deepEqual(hear({ b: 7 }), ['resolved', 'open']);
  });

  it('is a new moment even if a person has resolved the others, none of which returns by repetition', () => {
    const { hear, resolveByPerson } = ledger();
    hear({ a: 5, c: 3 });
    resolveByPerson();
    assert.deepEqual(hear({ a: 5, c: 3 }), ['resolved']);
    assert.deepEqual(hear({ c: 3 }), ['resolved']);
    assert.deepEqual(hear({ a: 5, b: 2, c: 3 }), ['resolved', 'open']);
  });

  it('is a new moment within a single run as well', () => {
    const { take } = ledger();
    const bodies = [{ a: 5 }, { a: [5, 10] as [number, number] }, { b: 2 }, { b: 2 }, { a: 5 }];
    assert.deepEqual(take(...bodies.map(told)), ['resolved', 'open']);
  });

  it('is a new moment after an end that overtook its beginning, which itself opens nothing', () => {
    const { hear } = ledger();
    hear({ a: [5, 10] });
    assert.deepEqual(hear({ a: 5 }), []);
    assert.deepEqual(hear({ b: 2 }), ['open']);
    assert.deepEqual(hear({ b: [2, 20] }), ['resolved']);
    hear({ c: [15, 30] });
    assert.deepEqual(hear({ c: 15 }), ['resolved']);
    assert.deepEqual(hear({ d: 16 }), ['resolved', 'open']);
  });

  it('is known once an open moment has seen it, however old the call that names it', () => {
    const { hear, moments } = ledger();
    hear({ a: 5 });
    hear({ b: 2 });
    assert.equal(moments[0]?.name, 'a', 'its words are older');
    hear({ a: [5, 10], b: [2, 9] });
    assert.deepEqual(hear({ b: 2 }), ['resolved']);
  });

  it('is ignored if calls name no parts', () => {
    for (const without of [0, 1, 2]) {
      const { take } = ledger();
      const events = [told({ a: 5 }), told({ a: [5, 10] }), told({ b: 2 })];
      const states = take(
        ...events.map((event, index) => (index === without ? { ...event, parts: null } : event)),
      );
      assert.deepEqual(states, ['resolved']);
    }
  });
});

describe('the stored parts', () => {
  const many = (count: number, is: Part['is'], from = 0): Parts =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`${is}${from + index}`, { is, at: from + index }]),
    );

  it('are limited: the part that ended first is dropped', () => {
    const merged = mergedParts(many(PARTS_LIMIT, 'ended'), many(10, 'firing')) ?? {};
    assert.equal(Object.keys(merged).length, PARTS_LIMIT);
    assert.ok(merged.firing0 && merged[`ended${PARTS_LIMIT - 1}`] && merged.ended10);
    assert.equal(merged.ended9, undefined);
  });

  it('are none if too many fire', () => {
    assert.equal(mergedParts(many(PARTS_LIMIT, 'firing'), many(1, 'firing', PARTS_LIMIT)), null);
  });
});

type Step = { what: 'fire' | 'end' | 'silence' | 'speak'; alert: string };

/** Alertmanager's calls about one group of alerts that fire, end, are silenced and fire again, a minute per step. */
function calls(steps: readonly Step[]): Group[] {
  const alerts = new Map<string, { began: number; ended: number | null }>();
  const silenced = new Set<string>();
  const sent: Group[] = [];
  let isFiring = false;
  for (const [minute, { what, alert }] of steps.entries()) {
    const known = alerts.get(alert);
    if (what === 'silence') silenced.add(alert);
    else if (what === 'speak') silenced.delete(alert);
    else if (what === 'fire' && !known) alerts.set(alert, { began: minute, ended: null });
    else if (what === 'end' && known) known.ended = minute;
    const heard = [...alerts].filter(([name]) => !silenced.has(name));
    const fires = heard.some(([, { ended }]) => ended === null);
    if (fires || (isFiring && heard.length > 0)) {
      sent.push(
        Object.fromEntries(
          heard.map(([name, { began, ended }]) => [name, ended === null ? began : [began, ended]]),
        ),
      );
      isFiring = fires;
    }
    for (const [name, { ended }] of alerts) if (ended !== null) alerts.delete(name);
  }
  return sent;
}

function stepsOf(...whats: Step['what'][]) {
  return fc.array(fc.record({ what: fc.constantFrom(...whats), alert: fc.constantFrom('a', 'b', 'c') }), {
    ...{ maxLength: 60, size: 'max' },
  });
}

const fires = (group: Group | undefined) =>
  Object.values(group ?? {}).some((times) => typeof times === 'number');

describe('with any calls of an Alertmanager about a group', () => {
  it('a moment is open exactly while something fires, although each call arrives twice', () => {
    fc.assert(
      fc.property(stepsOf('fire', 'end', 'silence', 'speak'), (steps) => {
        const { hear, moments } = ledger();
        for (const group of calls(steps)) {
          const states = hear(group);
          assert.deepEqual(
            states,
            moments.map((_, index) => (fires(group) && index === moments.length - 1 ? 'open' : 'resolved')),
          );
          assert.deepEqual(hear(group), states);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('a repeated call opens and ends nothing', () => {
    fc.assert(
      fc.property(
        stepsOf('fire', 'end'),
        fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
        (steps, late) => {
          const { hear } = ledger();
          const sent = calls(steps);
          for (const [index, group] of sent.entries()) {
            const states = hear(group);
            for (const choice of late) assert.deepEqual(hear(sent[choice % (index + 1)] ?? group), states);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
