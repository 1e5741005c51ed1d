import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ratesWith } from '../../testing/pay/rates.ts';
import { type PageEvent, paidCallOuts, workOn } from './call-outs.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;

function events(
  ...list: (readonly [minute: number, kind: string, user?: string | null, what?: string])[]
): PageEvent[] {
  return list.map(([minute, kind, userId = null, what = null]) => ({
    ...{ at: minute * MINUTE, kind, what, userId, notified: userId !== 'guest' },
  }));
}

const worked = (...list: Parameters<typeof events>) =>
  workOn(events(...list), NOW).map(({ userId, from, to }) => `${userId} ${from / MINUTE}-${to / MINUTE}`);

describe('work on a page', () => {
  it('lasts from the acknowledgement to the end', () => {
    assert.deepEqual(worked([3, 'acknowledged', 'ada'], [20, 'resolved', 'ada']), ['ada 3-20']);
    for (const end of [
      'unacknowledged',
      'escalated',
      'reassigned',
      'snoozed',
      'reminded',
      'reopened',
      'urgency_raised',
    ])
      assert.deepEqual(worked([3, 'acknowledged', 'ada'], [9, end, 'ben']), ['ada 3-9'], end);
    assert.deepEqual(worked([3, 'acknowledged', 'ada']), ['ada 3-1000']);
    assert.deepEqual(worked([3, 'acknowledged', 'ada'], [5, 'disabled', 'ben'], [7, 'disabled', 'ada']), [
      'ada 3-7',
    ]);
  });

  it('is that of everybody who joined, and only of people whom the page had notified', () => {
    assert.deepEqual(
      worked(
        [3, 'acknowledged', 'ada'],
        [5, 'joined', 'ben'],
        [6, 'joined', 'guest'],
        [20, 'resolved', 'ada'],
      ),
      ['ada 3-20', 'ben 5-20'],
    );
    assert.deepEqual(worked([3, 'acknowledged', null], [20, 'resolved', 'ada']), []);
  });

  it('does not count an undone acknowledgement, and continues after an undone resolution', () => {
    assert.deepEqual(
      worked(
        [3, 'acknowledged', 'ada'],
        [4, 'undone', 'ada', 'acknowledgement'],
        [6, 'acknowledged', 'ben'],
        [9, 'resolved', 'ben'],
      ),
      ['ben 6-9'],
    );
    assert.deepEqual(
      worked(
        [3, 'acknowledged', 'ada'],
        [8, 'resolved', 'ada'],
        [9, 'undone', 'ada', 'resolution'],
        [12, 'resolved', 'ada'],
      ),
      ['ada 3-12'],
    );
  });
});

describe('a paid call-out', () => {
  const rules = ratesWith().called_out;
  const paid = (...work: (readonly [from: number, to: number])[]) =>
    paidCallOuts(
      work.map(([from, to]) => ({ from: from * MINUTE, to: to * MINUTE })),
      () => rules,
    ).map(({ from, to }) => [from / MINUTE, to / MINUTE]);

  it('begins at a full minute, has a minimum, and is rounded up', () => {
    assert.deepEqual(paid([10.7, 15]), [[10, 70]]);
    assert.deepEqual(paid([10, 70]), [[10, 70]]);
    assert.deepEqual(paid([10, 70.1]), [[10, 85]]);
  });

  it('includes pages that begin while it is paid', () => {
    assert.deepEqual(paid([0, 5], [50, 55]), [[0, 60]]);
    assert.deepEqual(paid([0, 5], [50, 80]), [[0, 90]]);
    assert.deepEqual(paid([0, 5], [60, 61]), [[0, 120]]);
    assert.deepEqual(paid([0, 5], [61, 62]), [
      [0, 60],
      [61, 121],
    ]);
  });

  it('never pays a moment twice, nor less than the real work', () => {
    const work = fc.array(
      fc
        .tuple(fc.nat(5_000 * MINUTE), fc.nat(300 * MINUTE))
        .map(([from, length]) => ({ from, to: from + length })),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(work, (times) => {
        const spans = paidCallOuts(times, () => rules);
        for (const [index, { from, to }] of spans.entries()) {
          assert.ok(to - from >= rules.minimum_minutes * MINUTE);
          assert.ok((spans[index - 1]?.to ?? -1) < from);
        }
        for (const { from, to } of times) assert.ok(spans.some((span) => span.from <= from && to <= span.to));
      }),
    );
  });
});
