import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Interval } from '../kit/interval.ts';
import { burdensIn, type Calendar, measurer } from '../schedules/burdens.ts';
import { type Carried, carryIn, type ScheduleFacts } from './carried.ts';
import type { Piece } from './whole-shifts.ts';

const QUARTER = 15 * 60_000;
const HOUR = 4 * QUARTER;
const DAY = 24 * HOUR;
const ZONES = [
  'America/New_York',
  'Europe/Paris',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
];
/** Around the weeks in which clocks change in one or the other of them. */
const CHANGES = [
  '2026-02-14',
  '2026-03-07',
  '2026-03-21',
  '2026-03-28',
  '2026-04-03',
  '2026-10-03',
  '2026-10-24',
  '2026-10-31',
];

/** Everything that differs between two runs of a property. */
const scene = fc
  .record({
    timeZone: fc.constantFrom(...ZONES),
    begins: fc
      .constantFrom(...CHANGES)
      .map((date) => Temporal.Instant.from(`${date}T00:00Z`).epochMilliseconds),
    lengths: fc.array(
      fc.integer({ min: 1, max: 40 }).map((n) => n * 3),
      { minLength: 3, maxLength: 12 },
    ),
    people: fc.array(fc.constantFrom('ada', 'alan', 'grace', null), { minLength: 12, maxLength: 12 }),
    takers: fc.array(fc.constantFrom('ada', 'alan', 'grace', null, null), { minLength: 12, maxLength: 12 }),
    holiday: fc.integer({ min: 0, max: 20 }),
    cut: fc.tuple(fc.nat(300), fc.nat(300)),
  })
  .map(({ timeZone, begins, lengths, people, takers, holiday, cut }) => {
    let from = begins + 9 * HOUR;
    const pieces: Piece[] = [];
    for (const [index, hours] of lengths.entries()) {
      const whole = { from, to: from + hours * HOUR };
      const owner = people[index] ?? null;
      const taker = takers[index] ?? null;
      const seam = taker ? from + Math.floor(hours / 3) * HOUR : whole.to;
      const common = { stage: 1, seat: 1, whole };
      pieces.push({ ...common, from, to: seam, userId: owner, takenFrom: null });
      if (taker)
        pieces.push({
          ...common,
          from: seam,
          to: whole.to,
          userId: taker,
          takenFrom: owner === taker ? null : owner,
        });
      from = whole.to;
    }
    const date = Temporal.Instant.fromEpochMilliseconds(begins + holiday * DAY)
      .toString()
      .slice(0, 10);
    const [a, b] = cut;
    const period = { from: begins + Math.min(a, b) * HOUR, to: begins + (Math.max(a, b) + 1) * HOUR };
    return { calendar: { timeZone, holidays: new Set([date]) }, pieces, period };
  });

function carried(pieces: readonly Piece[], calendar: Calendar, period: Interval, members: string[] = []) {
  const ledger = new Map<string, Carried>();
  const schedule: ScheduleFacts = {
    ...{ id: 's', calendar, weights: { night: 1, weekend: 1, holiday: 1 }, smallAbsenceMs: 0, pieces },
    members: members.map((userId) => ({ stage: 1, userId, joinedAt: 0 })),
  };
  carryIn(ledger, schedule, measurer(calendar), new Map(), period);
  return ledger;
}

/** Looks at the local clock every quarter of an hour. */
function naiveHours(
  pieces: readonly Piece[],
  { timeZone, holidays }: Calendar,
  period: Interval,
  userId: string,
) {
  const hours = { day: 0, night: 0, weekend: 0, holiday: 0 };
  for (const piece of pieces) {
    if (piece.userId !== userId) continue;
    for (let at = Math.max(piece.from, period.from); at < Math.min(piece.to, period.to); at += QUARTER) {
      const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
      if (holidays.has(local.toPlainDate().toString())) hours.holiday += QUARTER;
      else if (local.dayOfWeek > 5) hours.weekend += QUARTER;
      else if (local.hour >= 22 || local.hour < 6) hours.night += QUARTER;
      else hours.day += QUARTER;
    }
  }
  return hours;
}

describe("people's load", () => {
  it('is counted in a schedule with any number of shifts', () => {
    const pieces = Array.from({ length: 200_000 }, (_, index): Piece => {
      const whole = { from: index * HOUR, to: (index + 1) * HOUR };
      return { ...whole, whole, stage: 1, seat: 1, userId: 'ada', takenFrom: null };
    });
    const period = { from: 0, to: DAY };
    assert.equal(carried(pieces, { timeZone: 'UTC', holidays: new Set() }, period).get('ada')?.shifts, 24);
  });

  it('matches the local clock hour by hour, even when it changes', () => {
    fc.assert(
      fc.property(scene, ({ calendar, pieces, period }) => {
        const ledger = carried(pieces, calendar, period);
        for (const userId of ['ada', 'alan', 'grace']) {
          const expected = naiveHours(pieces, calendar, period, userId);
          const { measured } = ledger.get(userId) ?? {};
          assert.deepEqual(measured?.split ?? { day: 0, night: 0, weekend: 0, holiday: 0 }, expected);
          const all = Object.values(expected).reduce((sum, ms) => sum + ms, 0);
          assert.equal(measured?.all ?? 0, all);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('adds up: two halves of a period are the whole', () => {
    fc.assert(
      fc.property(scene, fc.double({ min: 0, max: 1, noNaN: true }), ({ calendar, pieces, period }, at) => {
        const middle = period.from + Math.floor(((period.to - period.from) * at) / HOUR) * HOUR;
        const whole = carried(pieces, calendar, period);
        const [first, second] = [
          carried(pieces, calendar, { ...period, to: middle }),
          carried(pieces, calendar, { ...period, from: middle }),
        ];
        for (const kind of ['shifts', 'nights', 'weekends', 'holidays', 'burden'] as const)
          for (const [userId, own] of whole) {
            const parts = (first.get(userId)?.[kind] ?? 0) + (second.get(userId)?.[kind] ?? 0);
            assert.ok(Math.abs(own[kind] - parts) < 1e-9, `${kind}: ${own[kind]} is not ${parts}`);
          }
      }),
    );
  });

  it('counts whole shifts like the planner', () => {
    fc.assert(
      fc.property(scene, ({ calendar, pieces }) => {
        const isBurden = burdensIn(calendar);
        const period = { from: (pieces[0]?.from ?? 0) - DAY, to: (pieces.at(-1)?.to ?? 0) + DAY };
        const wholes = [...new Map(pieces.map(({ whole }) => [whole.from, whole])).values()];
        const all = pieces.map((piece) => ({ ...piece, userId: 'ada' }));
        const own = carried(all, calendar, period).get('ada');
        const count = (kind: 'night' | 'weekend' | 'holiday') =>
          wholes.filter((whole) => isBurden(whole).has(kind)).length;
        const near = (mine: number | undefined, expected: number) =>
          assert.ok(Math.abs((mine ?? 0) - expected) < 1e-9, `${mine} is not ${expected}`);
        near(own?.shifts, wholes.length);
        near(own?.nights, count('night'));
        near(own?.weekends, count('weekend'));
        near(own?.holidays, count('holiday'));
      }),
    );
  });

  it('divides the shifts among the members in proportion to their time', () => {
    const begins = Temporal.Instant.from('2026-11-02T09:00Z').epochMilliseconds;
    const day = (n: number, userId: string): Piece => ({
      ...{ stage: 1, seat: 1, from: begins + n * DAY, to: begins + (n + 1) * DAY },
      ...{ userId, takenFrom: null, whole: { from: begins + n * DAY, to: begins + (n + 1) * DAY } },
    });
    const pieces = [day(0, 'ada'), day(1, 'ada'), day(2, 'ada'), day(3, 'alan'), day(4, 'eve')];
    const period = { from: begins, to: begins + 5 * DAY };
    const ledger = new Map<string, Carried>();
    const calendar = { timeZone: 'UTC', holidays: new Set<string>() };
    const schedule: ScheduleFacts = {
      ...{ id: 's', calendar, weights: { night: 1, weekend: 1, holiday: 1 }, smallAbsenceMs: 0, pieces },
      members: [
        { stage: 1, userId: 'ada', joinedAt: 0 },
        { stage: 1, userId: 'alan', joinedAt: begins + 2 * DAY },
      ],
    };
    const away = new Map([
      ['alan', [{ type: 'hard_unavailable' as const, from: begins + 4 * DAY, to: begins + 9 * DAY }]],
    ]);
    carryIn(ledger, schedule, measurer(calendar), away, period);
    const [ada, alan, eve] = ['ada', 'alan', 'eve'].map((userId) => ledger.get(userId));
    assert.deepEqual([ada?.present, alan?.present], [5, 2]);
    assert.deepEqual([ada?.share, alan?.share, eve?.share], [(5 * 4) / 7, (2 * 4) / 7, null]);
  });

  it('counts once per shift who took over for whom', () => {
    const whole = { from: 0, to: 8 * DAY };
    const common = { stage: 1, seat: 1, takenFrom: 'ada', whole };
    const pieces: Piece[] = [
      { ...common, from: 0, to: DAY, userId: 'alan' },
      { ...common, from: DAY, to: 2 * DAY, userId: 'ada', takenFrom: null },
      { ...common, from: 2 * DAY, to: 3 * DAY, userId: 'alan' },
      { ...common, from: 3 * DAY, to: 8 * DAY, userId: 'grace' },
    ];
    const ledger = carried(pieces, { timeZone: 'UTC', holidays: new Set() }, { from: -DAY, to: 9 * DAY });
    const counts = ['ada', 'alan', 'grace'].map((userId) => [
      ledger.get(userId)?.taken,
      ledger.get(userId)?.given,
    ]);
    assert.deepEqual(counts, [
      [0, 1],
      [1, 0],
      [1, 0],
    ]);
    assert.equal(ledger.get('alan')?.shifts, 0.25);
  });
});
