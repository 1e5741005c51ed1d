import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ShiftStory, startRota } from '../../testing/schedules/story.ts';

const ZONES = [
  'America/New_York',
  'Europe/Paris',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
];
const NOW = '2026-01-07T12:00:00Z';

function local(instant: string, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone);
}

function checkYear(shifts: readonly ShiftStory[], zone: string): void {
  for (const [index, shift] of shifts.entries()) {
    assert.equal(local(shift.from, zone).toPlainTime().toString(), '09:00:00', `${zone} ${shift.from}`);
    const next = shifts[index + 1];
    if (next) assert.equal(shift.to, next.from, 'no hole, no overlap');
  }
}

describe('a year of planned shifts', () => {
  for (const zone of ZONES) {
    it(`changes hands at 09:00 in ${zone}, in every stage`, async (t) => {
      const rota = await startRota(t, NOW);
      const stages = [{ members: ['ada', 'alan', 'grace'] }, { members: ['grace', 'ada'] }];
      const common = { stages, timeZone: zone, planAheadWeeks: 52 };
      const weekly = await rota.save({
        ...common,
        name: 'Weekly',
        shifts: { every: 'week', handoff: 'Monday 09:00' },
      });
      const daily = await rota.save({ ...common, name: 'Daily', shifts: { every: 'day', handoff: '09:00' } });
      for (const [{ id }, least] of [
        [weekly, 53],
        [daily, 365],
      ] as const) {
        const byStage = Map.groupBy(await rota.shifts(id), ({ stage }) => stage);
        assert.deepEqual([...byStage.keys()], [1, 2]);
        for (const shifts of byStage.values()) {
          assert.ok(shifts.length >= least, `${shifts.length} shifts`);
          checkYear(shifts, zone);
        }
        const firstStage = byStage.get(1)?.map(({ who }) => who) ?? [];
        assert.deepEqual(
          firstStage,
          firstStage.map((_, index) => ['ada', 'alan', 'grace'][index % 3]),
        );
        for (const [index, { who }] of (byStage.get(2) ?? []).entries())
          assert.notEqual(who, firstStage[index], 'nobody is on call twice');
      }
      assert.ok((await rota.shifts(weekly.id)).every(({ from }) => local(from, zone).dayOfWeek === 1));
    });
  }
});
