import { clip, type Interval, intersects, union, within, without } from '../kit/interval.ts';
import { atMost, paidCallOuts } from './call-outs.ts';
import type { HourClass, PayLine, StatementContent } from './contract.ts';
import { type Assignment, type Days, type Era, erasOf, type PayTable } from './eras.ts';
import { classTimes, type Part, paidClasses, partsOf } from './hours.ts';
import { amountText, digitsOf, priceOf, rateOf } from './money.ts';
import { cutByStage, dearest, type RatesOfStage, stageTimes } from './stages.ts';

/**
 * A time on call, after overrides, covers and swaps. `stage` null: the time of a schedule that was deleted long ago.
 */
export type OnCall = Interval & { schedule: string; stage?: number | null };
/** A person worked on a page. */
export type PageWork = Interval & { page: { id: string; title: string } };

export type PersonFacts = {
  assignments: readonly Assignment[];
  onCall: readonly OnCall[];
  work: readonly PageWork[];
};

export type PricedStatement = {
  tableId: string;
  currency: string;
  /** In the smallest unit of the currency. */
  amount: bigint;
  content: Omit<StatementContent, 'corrections'>;
};

export type Priced = {
  statements: PricedStatement[];
  /** Times on call or called out without rates, although the person should be paid. */
  unpriced: Interval[];
};

/** The most times that a line lists. */
const MOST_SPANS = 2_000;
/** How far around a period call-outs are read, because they may extend into it. */
export const AROUND_DAYS = 15;

const textOf = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toString();
const spanText = ({ from, to }: Interval) => ({ from: textOf(from), to: textOf(to) });

/**
 * The pay of a person for a period, by table. Simultaneous times on call in several schedules or stages count once, by
 * the stage that pays more. Each line is the sum of its times and rounded once, so the division of shifts never changes
 * an amount.
 */
export function priceOfPerson(
  { assignments, onCall, work }: PersonFacts,
  tables: ReadonlyMap<string, PayTable>,
  days: Days,
): Priced {
  const around = erasOf(assignments, tables, widened(days));
  const counted = work.map((time) => atMost(time, rulesIn(around)));
  const callOuts = callOutsOf(counted, around);
  const served = union(onCall);
  const statements = new Map<PayTable, Interim>();
  const unpriced: Interval[] = [];
  for (const era of erasOf(assignments, tables, days)) {
    if (!era.isPaid) continue;
    const times = { served: onCall, onCall: within(served, era), calledOut: within(callOuts, era), callOuts };
    if (!era.table || !era.version) {
      unpriced.push(...union([...times.onCall, ...times.calledOut]));
      continue;
    }
    const interim: Interim = statements.get(era.table) ?? { lines: new Map(), onCall: [], callOuts: [] };
    statements.set(era.table, interim);
    addEra(interim, era, era.table, era.version, times);
    interim.onCall.push(...onCall.flatMap((time) => clip(time, era) ?? []));
    interim.callOuts.push(...times.calledOut);
  }
  return {
    statements: [...statements].flatMap(([table, interim]) => finished(table, interim, counted)),
    unpriced: union(unpriced),
  };
}

function widened({ first, last }: Days): Days {
  const day = (text: string, days: number) => Temporal.PlainDate.from(text).add({ days }).toString();
  return { first: day(first, -AROUND_DAYS), last: day(last, AROUND_DAYS) };
}

/** The rules for call-outs that begin at a time. */
function rulesIn(eras: readonly Era[]) {
  return (at: number) =>
    eras.find(({ from, to }) => from <= at && at < to)?.version?.rates.called_out ?? NO_RULES;
}

/** Without working hours, which the salary pays for. */
function callOutsOf(work: readonly Interval[], eras: readonly Era[]): Interval[] {
  const free = work.flatMap((time) => {
    const near = eras.filter((era) => intersects(era, time));
    const working = near.flatMap((era) => {
      if (!era.table || !era.version) return [];
      const own = classTimes(era.version.rates, era.table.timeZone, era.table.holidays, time).working;
      return own.flatMap((window) => clip(window, era) ?? []);
    });
    return working.length === 0 ? [time] : without([time], union(working));
  });
  return paidCallOuts(free, rulesIn(eras));
}

/**
 * Before the eras, and while no rates apply. A page counts for the most time that any rates can allow: without a limit, one that
 * nobody resolved would be paid for all of the following periods.
 */
const NO_RULES = {
  ...{ standby: '0', night: '0', weekend: '0', holiday: '0' },
  ...{ minimum_minutes: 0, step_minutes: 1, longest_hours: 72, on_call: 'continues' as const },
};

type Line = Pick<PayLine, 'kind' | 'class' | 'rate' | 'rates_from' | 'from_stage'> & { spans: Interval[] };
type Interim = { lines: Map<string, Line>; onCall: OnCall[]; callOuts: Interval[] };

/** Within an era; `callOuts` and `served`: all of the person, including those that only reach into it. */
type Times = Record<'onCall' | 'calledOut' | 'callOuts', readonly Interval[]> & { served: readonly OnCall[] };

function addEra(
  { lines }: Interim,
  era: Interval,
  table: PayTable,
  { from: rates_from, rates }: NonNullable<Era['version']>,
  times: Times,
): void {
  const classes = classTimes(rates, table.timeZone, table.holidays, era);
  const paid = without(times.onCall, classes.working);
  const standby = rates.called_out.on_call === 'replaced' ? without(paid, times.callOuts) : paid;
  const add = (kind: PayLine['kind'], { from, to, classes: apply }: Part, of: RatesOfStage) => {
    for (const name of paidClasses({ classes: apply }, of.rates, rates.overlap)) {
      const stage = of.fromStage === null ? {} : { from_stage: of.fromStage };
      const key = `${rates_from} ${kind} ${name} ${of.fromStage}`;
      const line = lines.get(key) ?? {
        ...{ kind, class: name, ...stage, rate: of.rates[name], rates_from },
        spans: [],
      };
      lines.set(key, line);
      line.spans.push({ from, to });
    }
  };
  const ofStages = stageTimes(rates, times.served);
  for (const span of standby.flatMap((one) => cutByStage(one, ofStages)))
    for (const part of partsOf(span, classes)) add('on_call', part, dearest(part, ofStages, rates));
  const calledOut = { fromStage: null, rates: rates.called_out };
  for (const part of times.calledOut.flatMap((span) => partsOf(span, classes)))
    add('called_out', part, calledOut);
}

const ORDER: readonly HourClass[] = ['standby', 'night', 'weekend', 'holiday'];

function finished(table: PayTable, { lines, onCall, callOuts }: Interim, work: readonly PageWork[]) {
  if (lines.size === 0 && onCall.length === 0) return [];
  const digits = digitsOf(table.currency);
  const rank = (line: Line) =>
    `${line.rates_from} ${line.kind === 'on_call' ? 0 : 1} ${ORDER.indexOf(line.class)} ${String(line.from_stage ?? 0).padStart(12, '0')}`;
  let amount = 0n;
  const shown = [...lines.values()]
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .map(({ spans, ...line }) => {
      const joined = union(spans);
      const milliseconds = joined.reduce((sum, { from, to }) => sum + to - from, 0);
      const price = priceOf(rateOf(line.rate), milliseconds, digits);
      amount += price;
      return {
        ...line,
        milliseconds,
        amount: amountText(price, digits),
        spans: joined.slice(0, MOST_SPANS).map(spanText),
      };
    });
  const content = {
    lines: shown,
    on_call: bySchedule(onCall).slice(0, MOST_SPANS),
    call_outs: callOuts
      .slice(0, MOST_SPANS)
      .map((time) => ({ ...spanText(time), pages: pagesOf(time, work) })),
  };
  return [{ tableId: table.id, currency: table.currency, amount, content }];
}

/** Times on call with the schedules that they were in, the same times together. */
function bySchedule(onCall: readonly OnCall[]): StatementContent['on_call'] {
  const times = [...Map.groupBy(onCall, ({ schedule }) => schedule)].flatMap(([schedule, own]) =>
    union(own).map((time) => ({ ...time, schedule })),
  );
  return [...Map.groupBy(times, ({ from, to }) => `${from} ${to}`).values()]
    .toSorted((a, b) => (a[0]?.from ?? 0) - (b[0]?.from ?? 0))
    .flatMap((same) => {
      const [first] = same;
      return first ? [{ ...spanText(first), schedules: same.map(({ schedule }) => schedule).sort() }] : [];
    });
}

const MOST_PAGES = 50;

function pagesOf(time: Interval, work: readonly PageWork[]) {
  return work
    .filter(({ from, to }) => from < time.to && to >= time.from)
    .slice(0, MOST_PAGES)
    .map(({ page, ...own }) => ({ ...page, ...spanText(own) }));
}
