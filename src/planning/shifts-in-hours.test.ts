import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  DAY,
  isUnchanged,
  planned,
  revise,
  rowsAfter,
  type Scene,
  situationOf,
} from '../../testing/planning/scene.ts';
import { quarterDays, scenes, span } from '../../testing/planning/scenes.ts';
import { union, within } from '../kit/interval.ts';
import type { ShiftRow } from '../schedules/difference.ts';
import { overlap } from '../schedules/planner.ts';

const spans = fc.array(span, { maxLength: 6 });
const inDays = (list: readonly { from: number; to: number }[]) =>
  list.map(({ from, to }) => [from, to] as const);

/** Random hours in a random scene. */
const withHours = fc
  .tuple(scenes, spans)
  .map(([scene, hours]): Scene => ({ ...scene, windows: inDays(union(hours)) }));

function seatsOf(rows: readonly ShiftRow[]): ShiftRow[][] {
  return [...Map.groupBy(rows, ({ stage, seat }) => `${stage} ${seat}`).values()];
}

describe('shifts in hours', () => {
  it('fill the hours without holes or overlaps, list the gaps, and have nothing outside', () => {
    fc.assert(
      fc.property(withHours, (scene) => {
        const situation = situationOf(scene);
        const rows = planned(scene);
        const last = situation.handoffs.at(-1) ?? 0;
        const wanted = within(situation.stages[0]?.windows ?? [], {
          from: situation.handoffs[0] ?? 0,
          to: last,
        });
        for (const seat of seatsOf(rows)) {
          for (const [index, row] of seat.slice(1).entries()) assert.ok(row.from >= (seat[index]?.to ?? 0));
          // A running shift counts from its hand-off if nobody was on call before.
          const future = (list: readonly { from: number; to: number }[]) =>
            union(within(union(list), { from: situation.at, to: last }));
          assert.deepEqual(future(seat), future(wanted));
        }
      }),
    );
  });

  it('put nobody on call who is away, and nobody twice at once', () => {
    fc.assert(
      fc.property(withHours, (scene) => {
        const { records, at } = situationOf(scene);
        const rows = planned(scene).filter(({ userId, to }) => userId !== null && to > at);
        for (const [index, row] of rows.entries()) {
          const away = (records.get(row.userId ?? '') ?? []).filter(
            ({ type }) => type === 'hard_unavailable',
          );
          assert.ok(!away.some((record) => overlap(record, { from: Math.max(row.from, at), to: row.to })));
          for (const other of rows.slice(index + 1))
            assert.ok(other.userId !== row.userId || !overlap(row, other));
        }
      }),
    );
  });

  it('do not change when they are planned again, now or later', () => {
    fc.assert(
      fc.property(withHours, quarterDays(6), (scene, later) => {
        const rows = planned(scene);
        assert.ok(isUnchanged(revise(situationOf({ ...scene, rows }))), 'now');
        const at = (scene.at ?? 0) + later;
        const from = Math.floor(at / (scene.length ?? 1)) * (scene.length ?? 1);
        const start = Math.floor(scene.at ?? 0);
        const then: Scene = { ...scene, at, from: Math.max(start, from), rows };
        const after = rowsAfter(rows, revise(situationOf(then)));
        const was = rows.filter(({ to }) => to <= at * DAY);
        // A running gap may end at this instant, when somebody is back for the rest of it.
        const underWay = rows.filter((row) => row.from < at * DAY && row.to > at * DAY);
        const over = after.filter(
          (row) => row.to <= at * DAY && !underWay.some(({ from }) => from === row.from),
        );
        assert.deepEqual(over, was, 'what was stays');
      }),
    );
  });
});
