import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ratesWith, tableWith } from '../../testing/pay/rates.ts';
import type { Interval } from '../kit/interval.ts';
import { measurer } from '../schedules/burdens.ts';
import type { Rates } from './contract.ts';
import type { PayTable } from './eras.ts';
import { classTimes, partsOf } from './hours.ts';
import { amountOf, rateOf } from './money.ts';
import { type PersonFacts, priceOfPerson } from './statement.ts';

const HOUR = 3_600_000;
const ZONE = 'Europe/Berlin';
const at = (local: string, zone = ZONE) =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
const span = (from: string, to: string): Interval => ({ from: at(from), to: at(to) });
const onCall = (from: string, to: string, schedule = 'Primary') => ({ ...span(from, to), schedule });
const inStage = (stage: number | null, from: string, to: string) => ({ ...onCall(from, to), stage });
const page = { id: 'page_1', title: 'Disk full' };
const facts = (more: Partial<PersonFacts>): PersonFacts => ({
  assignments: [],
  onCall: [],
  work: [],
  ...more,
});
const tables = (...list: PayTable[]) => new Map(list.map((table) => [table.id, table]));
const NOVEMBER = { first: '2026-11-01', last: '2026-11-30' };

function lines(person: Partial<PersonFacts>, table: PayTable = tableWith(), days = NOVEMBER): string[] {
  const { statements } = priceOfPerson(facts(person), tables(table), days);
  return statements.flatMap(({ content }) =>
    content.lines.map(
      ({ kind, class: name, milliseconds, amount }) => `${kind} ${name} ${milliseconds / HOUR} h ${amount}`,
    ),
  );
}

const withRates = (rates: Rates, more: Partial<PayTable> = {}) =>
  tableWith({ versions: [{ from: '2020-01-01', until: null, rates }], ...more });

describe('a statement', () => {
  it('pays each hour by the highest class that applies', () => {
    // From Friday noon to Monday noon, with a holiday on Monday.
    const week = [onCall('2026-11-06T12:00', '2026-11-09T12:00')];
    const table = tableWith({ holidays: new Set(['2026-11-09']) });
    assert.deepEqual(lines({ onCall: week }, table), [
      'on_call standby 10 h 25.00',
      'on_call night 2 h 6.00',
      'on_call weekend 48 h 192.00',
      'on_call holiday 12 h 75.00',
    ]);
  });

  it('pays a night more than a weekend if its rate is higher', () => {
    const rates = ratesWith({ on_call: { standby: '1', night: '9', weekend: '2', holiday: '3' } });
    assert.deepEqual(lines({ onCall: [onCall('2026-11-07T20:00', '2026-11-07T23:00')] }, withRates(rates)), [
      'on_call night 1 h 9.00',
      'on_call weekend 2 h 4.00',
    ]);
  });

  it('adds supplements if the rates say so', () => {
    const rates = ratesWith({
      overlap: 'add',
      on_call: { standby: '2', night: '0.50', weekend: '1', holiday: '0' },
    });
    assert.deepEqual(lines({ onCall: [onCall('2026-11-07T20:00', '2026-11-07T23:00')] }, withRates(rates)), [
      'on_call standby 3 h 6.00',
      'on_call night 1 h 0.50',
      'on_call weekend 3 h 3.00',
    ]);
  });

  it('pays a longer night when clocks go back, and a shorter one when they go forward', () => {
    const autumn = { first: '2026-10-01', last: '2026-10-31' };
    const spring = { first: '2026-03-01', last: '2026-03-31' };
    const rates = withRates(ratesWith({ weekend: [] }));
    const night = (from: string, to: string) => [onCall(from, to)];
    assert.deepEqual(lines({ onCall: night('2026-10-24T22:00', '2026-10-25T06:00') }, rates, autumn), [
      'on_call night 9 h 27.00',
    ]);
    assert.deepEqual(lines({ onCall: night('2026-03-28T22:00', '2026-03-29T06:00') }, rates, spring), [
      'on_call night 7 h 21.00',
    ]);
  });

  it('counts simultaneous time in several schedules once', () => {
    const times = [
      onCall('2026-11-10T08:00', '2026-11-10T12:00'),
      onCall('2026-11-10T10:00', '2026-11-10T14:00', 'Database'),
    ];
    assert.deepEqual(lines({ onCall: times }), ['on_call standby 6 h 15.00']);
  });

  it('pays a stage by its own rates, and two simultaneous stages by the higher ones', () => {
    const rates = ratesWith({
      stages: [
        { from_stage: 3, on_call: { standby: '0.50', night: '9', weekend: '0.50', holiday: '0.50' } },
        { from_stage: 2, on_call: { standby: '1.25', night: '1.50', weekend: '2', holiday: '3' } },
      ],
    });
    const day = (stage: number | null, from: number, to: number) =>
      inStage(stage, `2026-11-10T${from}:00`, `2026-11-10T${to}:00`);
    const staged = (...times: ReturnType<typeof day>[]) => {
      const { statements } = priceOfPerson(facts({ onCall: times }), tables(withRates(rates)), NOVEMBER);
      return statements.flatMap(({ content }) =>
        content.lines.map(
          (line) => `${line.class} ${line.from_stage} ${line.milliseconds / HOUR} h ${line.amount}`,
        ),
      );
    };
    // Stage 2.5 has the rates from stage 2 on. The stage of a schedule that was deleted long ago is unknown.
    assert.deepEqual(
      staged(day(1, 10, 12), day(2, 12, 14), day(2.5, 14, 15), day(3, 15, 17), day(null, 17, 18)),
      ['standby undefined 3 h 7.50', 'standby 2 3 h 3.75', 'standby 3 2 h 1.00'],
    );
    // From 10 to 14 in stage 2, from 12 to 16 in stage 1, at night in stages 1 and 3.
    assert.deepEqual(staged(day(2, 10, 14), day(1, 12, 16), day(1, 20, 23), day(3, 21, 23)), [
      'standby undefined 6 h 15.00',
      'standby 2 2 h 2.50',
      'night 3 1 h 9.00',
    ]);
  });

  it('does not pay working hours, except on holidays', () => {
    const rates = ratesWith({
      working_hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
    });
    const table = withRates(rates, { holidays: new Set(['2026-11-11']) });
    const work = [{ ...span('2026-11-10T16:50', '2026-11-10T17:10'), page }];
    assert.deepEqual(lines({ onCall: [onCall('2026-11-10T08:00', '2026-11-10T18:00')], work }, table), [
      'on_call standby 1 h 2.50',
      'called_out standby 1 h 30.00',
    ]);
    assert.deepEqual(lines({ onCall: [onCall('2026-11-11T08:00', '2026-11-11T18:00')] }, table), [
      'on_call holiday 10 h 62.50',
    ]);
  });

  it('pays call-outs instead of being on call, or as well', () => {
    const person = {
      onCall: [onCall('2026-11-10T20:00', '2026-11-11T06:00')],
      work: [{ ...span('2026-11-10T21:30', '2026-11-10T21:40'), page }],
    };
    assert.deepEqual(lines(person), [
      'on_call standby 1.5 h 3.75',
      'on_call night 7.5 h 22.50',
      'called_out standby 0.5 h 15.00',
      'called_out night 0.5 h 20.00',
    ]);
    assert.deepEqual(
      lines(person, withRates(ratesWith({ called_out: { on_call: 'continues' } }))).slice(0, 2),
      ['on_call standby 2 h 5.00', 'on_call night 8 h 24.00'],
    );
  });

  it('counts an unresolved page for no longer than the rates allow', () => {
    const work = [{ ...span('2026-11-10T08:00', '2026-11-12T08:00'), page }];
    assert.deepEqual(lines({ work }, withRates(ratesWith({ called_out: { longest_hours: 2 } }))), [
      'called_out standby 2 h 60.00',
    ]);
  });

  it('does not count a page in later periods because nobody resolved it', () => {
    const forgotten = (from: string) => [{ ...span(from, '2026-12-01T12:00'), page }];
    assert.deepEqual(lines({ work: forgotten('2026-10-05T08:00') }), []);
    // It began before the first rates, or before the person was paid.
    const later = tableWith({ versions: [{ from: '2026-11-01', until: null, rates: ratesWith() }] });
    assert.deepEqual(lines({ work: forgotten('2026-10-20T08:00') }, later), []);
    const assignments = [
      { from: '1970-01-01', tableId: null },
      { from: '2026-11-01', tableId: 'de' },
    ];
    assert.deepEqual(lines({ work: forgotten('2026-10-20T08:00'), assignments }), []);
    // Nor does it belong to call-outs of later weeks.
    const other = { id: 'page_2', title: 'Disk full again' };
    const work = [
      ...forgotten('2026-11-02T08:00'),
      { ...span('2026-11-20T08:00', '2026-11-20T08:10'), page: other },
    ];
    const [statement] = priceOfPerson(facts({ work }), tables(tableWith()), NOVEMBER).statements;
    assert.deepEqual(
      statement?.content.call_outs.map(({ pages }) => pages.map(({ id }) => id)),
      [['page_1'], ['page_2']],
    );
  });

  it('changes its rates at local midnight, and reports times without rates', () => {
    const table = tableWith({
      versions: [
        { from: '2026-11-01', until: '2026-11-09', rates: ratesWith() },
        {
          from: '2026-11-11',
          until: null,
          rates: ratesWith({ on_call: { standby: '5', night: '5', weekend: '5', holiday: '5' } }),
        },
      ],
    });
    const person = facts({ onCall: [onCall('2026-11-09T12:00', '2026-11-11T12:00')] });
    const { statements, unpriced } = priceOfPerson(person, tables(table), NOVEMBER);
    assert.deepEqual(unpriced, [span('2026-11-10T00:00', '2026-11-11T00:00')]);
    assert.deepEqual(
      statements[0]?.content.lines.map(({ class: name, amount }) => `${name} ${amount}`),
      ['standby 25.00', 'night 6.00', 'standby 30.00', 'night 30.00'].map((text) => text),
    );
  });

  it("is one for each of the person's tables, and none for people who are not paid", () => {
    const other = tableWith({
      id: 'us',
      name: 'US',
      currency: 'USD',
      timeZone: 'America/New_York',
      isDefault: false,
    });
    const person = facts({
      assignments: [
        { from: '2026-11-10', tableId: 'us' },
        { from: '2026-11-12', tableId: null },
      ],
      onCall: [onCall('2026-11-09T20:00', '2026-11-30T20:00')],
    });
    const { statements, unpriced } = priceOfPerson(person, tables(tableWith(), other), NOVEMBER);
    assert.deepEqual(
      statements.map(({ tableId, currency }) => `${tableId} ${currency}`),
      ['de EUR', 'us USD'],
    );
    const hours = statements.map(
      ({ content }) => content.lines.reduce((sum, line) => sum + line.milliseconds, 0) / HOUR,
    );
    // Until midnight in New York, then two days by its clock to the default's midnight, six hours earlier.
    assert.deepEqual(hours, [10, 42]);
    assert.deepEqual(unpriced, []);
  });
});

const zones = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
);
const FROM = Date.UTC(2026, 9, 1);
const minutes = fc.nat(60 * 24 * 60).map((minute) => FROM + minute * 60_000);
const times = fc
  .array(fc.tuple(minutes, fc.nat(5 * 24 * 60), fc.constantFrom(1, 2, 3, null)), {
    minLength: 1,
    maxLength: 8,
  })
  .map((list) => list.map(([from, length, stage]) => ({ from, to: from + (length + 1) * 60_000, stage })));
const rate = fc.nat(99_999).map((units) => (units / 100).toFixed(2));
const ofClasses = fc.record({ standby: rate, night: rate, weekend: rate, holiday: rate });
const rates: fc.Arbitrary<Rates> = fc
  .record({
    on_call: ofClasses,
    out: ofClasses,
    overlap: fc.constantFrom('highest' as const, 'add' as const),
    during: fc.constantFrom('continues' as const, 'replaced' as const),
    working: fc.boolean(),
    stages: fc.uniqueArray(fc.record({ from_stage: fc.constantFrom(1, 2, 2.5, 3), on_call: ofClasses }), {
      maxLength: 3,
      selector: ({ from_stage }) => from_stage,
    }),
  })
  .map(({ on_call, out, overlap, during, working, stages }) =>
    ratesWith({
      ...{ on_call, overlap, stages },
      called_out: { ...out, on_call: during },
      working_hours: working ? [{ days: ['mon', 'wed'], from: '09:00', to: '17:00' }] : [],
    }),
  );
const tableOf = (of: Rates, timeZone: string) =>
  withRates(of, { timeZone, holidays: new Set(['2026-10-03', '2026-11-01', '2026-11-25']) });
const asPlanned = (list: readonly Interval[]) => list.map((time) => ({ ...time, schedule: 'Primary' }));
const asWork = (list: readonly Interval[]) => list.map((time) => ({ ...time, page }));
const WHOLE = { first: '2026-10-20', last: '2026-11-20' };

const linesIn = (person: PersonFacts, table: PayTable, days: { first: string; last: string }) =>
  priceOfPerson(person, tables(table), days).statements.flatMap(({ content }) => content.lines);

/** By the wall clock, without the service's own windows. */
function paidForMinute(
  of: Rates,
  { timeZone, holidays }: PayTable,
  minute: number,
  stages: (number | null)[],
): bigint {
  const local = Temporal.Instant.fromEpochMilliseconds(minute).toZonedDateTimeISO(timeZone);
  const isHoliday = holidays.has(local.toPlainDate().toString());
  const works = of.working_hours.length > 0 && [1, 3].includes(local.dayOfWeek);
  if (!isHoliday && works && local.hour >= 9 && local.hour < 17) return 0n;
  const names = [
    'standby' as const,
    ...(local.hour >= 22 || local.hour < 6 ? ['night' as const] : []),
    ...(local.dayOfWeek > 5 ? ['weekend' as const] : []),
    ...(isHoliday ? ['holiday' as const] : []),
  ];
  const sums = stages.map((stage) => {
    const entries = (of.stages ?? []).filter(({ from_stage }) => stage !== null && from_stage <= stage);
    const last = Math.max(...entries.map(({ from_stage }) => from_stage));
    const own = entries.find(({ from_stage }) => from_stage === last)?.on_call ?? of.on_call;
    const amounts = names.map((name) => rateOf(own[name]));
    return of.overlap === 'add' ? amounts.reduce((a, b) => a + b) : largest(amounts);
  });
  return largest(sums);
}

function largest(amounts: readonly bigint[]): bigint {
  return amounts.toSorted((a, b) => Number(a - b)).at(-1) ?? 0n;
}

describe('pay for any times and rates', () => {
  it('is the sum of its lines, and every line is the sum of its times', () => {
    fc.assert(
      fc.property(times, times, rates, zones, (shifts, work, of, zone) => {
        const person = facts({ onCall: asPlanned(shifts), work: asWork(work) });
        for (const { amount, content } of priceOfPerson(person, tables(tableOf(of, zone)), WHOLE)
          .statements) {
          assert.equal(
            content.lines.reduce((sum, line) => sum + amountOf(line.amount), 0n),
            amount,
          );
          for (const line of content.lines) {
            const length = line.spans.reduce(
              (sum, { from, to }) => sum + Date.parse(to) - Date.parse(from),
              0,
            );
            assert.equal(length, line.milliseconds);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('does not depend on how a shift is split', () => {
    fc.assert(
      fc.property(
        times,
        fc.double({ min: 0, max: 1, noNaN: true }),
        rates,
        zones,
        (shifts, where, of, zone) => {
          const split = shifts.flatMap(({ from, to, stage }) => {
            const middle = Math.round(from + where * (to - from));
            return [
              { from, to: middle, stage },
              { from: middle, to, stage },
            ];
          });
          const table = tableOf(of, zone);
          assert.deepEqual(
            linesIn(facts({ onCall: asPlanned(split) }), table, WHOLE),
            linesIn(facts({ onCall: asPlanned(shifts) }), table, WHOLE),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has every moment in one period, wherever one ends and the next begins', () => {
    fc.assert(
      fc.property(times, times, rates, zones, fc.nat(30), (shifts, work, of, zone, day) => {
        const person = facts({ onCall: asPlanned(shifts), work: asWork(work) });
        const table = tableOf(of, zone);
        const middle = Temporal.PlainDate.from(WHOLE.first).add({ days: day });
        const lengths = (...periods: { first: string; last: string }[]) => {
          const sums = new Map<string, number>();
          for (const line of periods.flatMap((days) => linesIn(person, table, days))) {
            const key = `${line.kind} ${line.class}`;
            sums.set(key, (sums.get(key) ?? 0) + line.milliseconds);
          }
          return [...sums].sort();
        };
        assert.deepEqual(
          lengths(
            { first: WHOLE.first, last: middle.toString() },
            { first: middle.add({ days: 1 }).toString(), last: WHOLE.last },
          ),
          lengths(WHOLE),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('pays each minute by the best of its stages, compared minute by minute', () => {
    fc.assert(
      fc.property(times, rates, zones, (shifts, of, zone) => {
        const table = tableOf(of, zone);
        const lines = linesIn(facts({ onCall: asPlanned(shifts) }), table, WHOLE);
        const exact = lines.reduce(
          (sum, { rate, milliseconds }) => sum + rateOf(rate) * BigInt(milliseconds),
          0n,
        );
        const minutes = new Map<number, Set<number | null>>();
        const period = { from: at(`${WHOLE.first}T00:00`, zone), to: at('2026-11-21T00:00', zone) };
        for (const { from, to, stage } of shifts)
          for (let minute = Math.max(from, period.from); minute < Math.min(to, period.to); minute += 60_000)
            minutes.set(minute, (minutes.get(minute) ?? new Set()).add(stage));
        let sum = 0n;
        for (const [minute, stages] of minutes)
          sum += paidForMinute(of, table, minute, [...stages]) * 60_000n;
        assert.equal(exact, sum);
      }),
      { numRuns: 15 },
    );
  });

  it('classifies hours like the reports, for the usual nights and weekends', () => {
    fc.assert(
      fc.property(times, zones, (shifts, zone) => {
        const holidays = new Set(['2026-10-03', '2026-11-01']);
        const measure = measurer({ timeZone: zone, holidays });
        for (const time of shifts) {
          const split = { day: 0, night: 0, weekend: 0, holiday: 0 };
          for (const part of partsOf(time, classTimes(ratesWith(), zone, holidays, time))) {
            const [first = 'standby'] = part.classes;
            split[first === 'standby' ? 'day' : first] += part.to - part.from;
          }
          assert.deepEqual(split, measure(time).split);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('never pays less for an hour than its standby rate', () => {
    fc.assert(
      fc.property(times, rates, zones, (shifts, of, zone) => {
        for (const line of linesIn(
          facts({ onCall: asPlanned(shifts) }),
          tableOf({ ...of, stages: [], overlap: 'highest' }, zone),
          WHOLE,
        ))
          assert.ok(rateOf(line.rate) >= rateOf(of.on_call.standby));
      }),
      { numRuns: 30 },
    );
  });
});
