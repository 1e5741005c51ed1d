import type { PlanFigures } from '../../src/planning/plan-api-contract.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PEOPLE = ['ada', 'ben', 'cleo', 'dan', 'eve', 'fay'];

/** `parts`: the times on call of a shift with hours; without them, all of it. */
export type PlannedPlace = Span & { stage: number; seat: number; who: string | null };
type Span = { from: number; to: number; parts?: [number, number][] };
type Limits = Record<string, number>;
type Rules = {
  level?: 'junior';
  limits?: Limits;
  never?: { days: string[]; from: string; to: string }[];
  from?: string;
  until?: string;
};

type Pattern = { every: string; handoff: string; hours?: Hours[] };
/** Without `days`, every day; `to` is on the next day if it is not after `from`. */
type Hours = { days?: string[]; from: string; to: string };

/** People of a stage with hand-offs of their own; without a pattern or zone, those of the schedule. */
export type DrawnLayer = { name: string; seats: number; members: string[]; shifts?: Pattern; zone?: string };

/** A schedule with whatever people may wish for, as the API takes it; times are epoch milliseconds. */
export type Drawn = {
  what: string;
  zone: string;
  weeks: number;
  shifts: Pattern;
  restHours: number;
  smallHours: number;
  stages: { stage: number; seats: number; members: string[]; layers?: DrawnLayer[] }[];
  records: { who: string; type: string; from: number; to: number }[];
  limits: Limits;
  people: Record<string, Rules>;
  shares: Record<string, number>;
  weights: { night: number; weekend: number; holiday: number };
  neverTwoJuniors: boolean;
  neverTogether: string[][];
  shadows: { who: string; of: string | null }[];
  onlyWith: { people: string[] | null; with: string[] }[];
  elsewhere: 'allow' | 'avoid' | 'never';
  isElsewhere: boolean;
  countElsewhere: boolean;
  /** Local dates. */
  holidays?: string[];
  /** A country whose holidays count as well. */
  country?: { country: string; region: string };
  /** The number of a stage that is linked to the first stage of the other schedule. */
  linkedStage?: number;
  /** A later change that forbids some of what was planned. */
  edit?: Partial<Drawn>;
};

export type Given = Omit<Drawn, 'edit'> & {
  kind: string;
  name: string;
  now: number;
  elsewhereShifts: Record<string, [number, number][]>;
  slots: PlannedPlace[];
  before?: PlannedPlace[];
  pieces?: PlannedPlace[];
  figures: PlanFigures;
};

type Draw = {
  whole(from: number, to: number): number;
  one<T>(of: readonly T[]): T;
  some<T>(of: readonly T[], count: number): T[];
  isOneIn(count: number): boolean;
};

/** The same numbers for the same seed. */
function drawing(seed: number): Draw {
  let state = (seed * 2_654_435_761) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const one = <T>(of: readonly T[]): T => of[whole(0, of.length - 1)] as T;
  return {
    ...{ whole, one, isOneIn: (count) => whole(1, count) === 1 },
    some: <T>(of: readonly T[], count: number) =>
      of
        .map((value) => ({ value, key: next() }))
        .sort((a, b) => a.key - b.key)
        .slice(0, count)
        .map(({ value }) => value),
  };
}

const PATTERNS = {
  day: { shifts: { every: 'day', handoff: '09:00' }, weeks: 2 },
  'half a day': { shifts: { every: '12 hours', handoff: '08:00' }, weeks: 1 },
  week: { shifts: { every: 'week', handoff: 'Monday 09:00' }, weeks: 10 },
} as const;
type PatternName = keyof typeof PATTERNS;
const LIMITS: Record<PatternName, Limits[]> = {
  day: [
    {},
    { shifts_per_week: 3 },
    { weekends_in_a_row: 1 },
    { shifts_in_a_row: 2, weekends_per_month: 2 },
    { hours_per_week: 60 },
  ],
  'half a day': [
    {},
    { nights_in_a_row: 2 },
    { hours_per_week: 48 },
    { shifts_per_month: 6 },
    { shifts_in_a_row: 3 },
  ],
  week: [{}, { shifts_per_month: 2 }, { shifts_in_a_row: 1 }, { weekends_per_month: 2 }],
};

export function drawnPlan(seed: number, now: number): Drawn {
  const draw = drawing(seed);
  const name = draw.one(['day', 'day', 'half a day', 'week'] as const);
  const { shifts, weeks } = PATTERNS[name];
  const count = draw.whole(4, 6);
  const people = PEOPLE.slice(0, count);
  const isTwo = draw.isOneIn(2);
  const stages = [
    { stage: 1, seats: draw.isOneIn(5) ? 2 : 1, members: draw.some(people, draw.whole(3, count)) },
    ...(isTwo ? [{ stage: 2, seats: 1, members: draw.some(people, draw.whole(2, count)) }] : []),
  ];
  const spanMs = weeks * 7 * DAY;
  const records = Array.from({ length: draw.whole(0, 8) }, () => {
    const from = now + draw.whole(0, spanMs / (6 * HOUR)) * 6 * HOUR + HOUR;
    return {
      ...{ who: draw.one(people), from, to: from + draw.whole(1, 10) * (name === 'week' ? 18 : 6) * HOUR },
      type: draw.one(['hard_unavailable', 'hard_unavailable', 'soft_unavailable', 'requested']),
    };
  });
  const rules: Record<string, Rules> = {};
  const day = (after: number) => new Date(now + after * DAY).toISOString().slice(0, 10);
  if (draw.isOneIn(3)) rules[draw.one(people)] = { from: day(draw.whole(2, weeks * 3)) };
  if (draw.isOneIn(3)) rules[draw.one(people)] = { until: day(draw.whole(2, weeks * 5)) };
  if (draw.isOneIn(3) && name !== 'week')
    rules[draw.one(people)] = {
      never: [{ days: draw.some(['mon', 'tue', 'wed', 'sat'], 2), from: '18:00', to: '24:00' }],
    };
  if (draw.isOneIn(4)) rules[draw.one(people)] = { limits: { shifts_per_week: 1 } };
  const neverTwoJuniors = draw.isOneIn(3);
  const juniors = draw.some(people, 2);
  if (neverTwoJuniors) for (const who of juniors) rules[who] = { ...rules[who], level: 'junior' };
  const limits = draw.one(LIMITS[name]);
  const restHours = draw.one([0, 11, 24]);
  const isElsewhere = draw.isOneIn(3);
  const elsewhere = draw.one(['allow', 'avoid', 'never'] as const);
  const edits: Partial<Drawn>[] = [
    { limits: draw.one(LIMITS[name].slice(1)) },
    { restHours: 24 },
    { stages: stages.map((one) => ({ ...one, members: one.members.slice(1) })) },
    {
      neverTwoJuniors: true,
      people: {
        ...rules,
        ...Object.fromEntries(juniors.map((who) => [who, { ...rules[who], level: 'junior' as const }])),
      },
    },
    { people: { ...rules, [people[0] ?? '']: { ...rules[people[0] ?? ''], until: day(5) } } },
  ];
  const drawn = {
    what: `${name}, ${stages.map(({ seats, members }) => `${seats} of ${members.length}`).join(' + ')}, rest ${restHours}, ${JSON.stringify(limits)}${neverTwoJuniors ? ', juniors' : ''}${isElsewhere ? `, elsewhere ${elsewhere}` : ''}`,
    zone: draw.one(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata']),
    ...{ weeks, shifts, restHours, smallHours: draw.one([0, 8]), stages, records, limits, people: rules },
    shares: draw.isOneIn(3) ? { [draw.one(people)]: draw.one([50, 60, 80]) } : {},
    weights: draw.isOneIn(3) ? { night: 2, weekend: 0, holiday: 1 } : { night: 1, weekend: 1, holiday: 1 },
    ...{ neverTwoJuniors, elsewhere, isElsewhere, countElsewhere: !draw.isOneIn(4) },
    edit: draw.one(edits),
  };
  // Drawn last, so that a seed draws the same as before these rules were there.
  const together = companionsDrawn(draw, people);
  const rest = draw.isOneIn(3) ? draw.one(WORKING_TIME) : {};
  const groups = draw.isOneIn(4) ? [draw.some(people, draw.whole(2, 3))] : [];
  const shadows = draw.isOneIn(5) ? shadowDrawn(draw, people) : [];
  const more = [
    ...(groups.length > 0 ? [`never together ${JSON.stringify(groups)}`] : []),
    ...(shadows.length > 0 ? [`shadows ${JSON.stringify(shadows)}`] : []),
    ...(together.length > 0 ? [`only with ${JSON.stringify(together)}`] : []),
    ...(Object.keys(rest).length > 0 ? [JSON.stringify(rest)] : []),
  ];
  return {
    ...drawn,
    ...{ what: [drawn.what, ...more].join(', '), onlyWith: together, limits: { ...limits, ...rest } },
    ...{ neverTogether: groups, shadows },
  };
}

const WORKING_TIME: Limits[] = [
  { weekly_rest_hours: 24 },
  { weekly_rest_hours: 35 },
  { average_hours_per_week: 36, average_weeks: 2 },
  { weekly_rest_hours: 48, average_hours_per_week: 40, average_weeks: 4 },
];

/** A shadow is never planned as one, so plans are the same with and without. */
function shadowDrawn(draw: Draw, people: readonly string[]): Drawn['shadows'] {
  const [who = '', of = ''] = draw.some(people, 2);
  return [{ who, of: draw.isOneIn(2) ? of : null }];
}

function companionsDrawn(draw: Draw, people: readonly string[]): Drawn['onlyWith'] {
  if (!draw.isOneIn(3)) return [];
  const companions = draw.some(people, draw.whole(1, 2));
  const meant = draw.one([null, draw.some(people, 1), companions]);
  // Nobody is on call only with themselves.
  const isAlone = companions.length === 1 && meant?.includes(companions[0] ?? '');
  return [{ people: isAlone ? null : meant, with: companions }];
}

export type DrawnRepair = Drawn & {
  /** The absences that come after the plan, on hand-offs. */
  late(published: readonly PlannedPlace[]): Drawn['records'];
};

/** A schedule whose people are then away for whole shifts. */
export function drawnRepair(seed: number, now: number): DrawnRepair {
  const draw = drawing(seed + 1_000);
  const count = draw.whole(4, 6);
  const people = PEOPLE.slice(0, count);
  const isTwo = !draw.isOneIn(3);
  const restHours = draw.one([0, 24, 24, 48]);
  const stages = [
    { stage: 1, seats: 1, members: draw.some(people, draw.whole(3, count)) },
    ...(isTwo ? [{ stage: 2, seats: 1, members: draw.some(people, draw.whole(2, count)) }] : []),
  ];
  return {
    what: `${stages.map(({ members }) => members.length).join(' + ')}, rest ${restHours}`,
    ...{
      zone: 'UTC',
      weeks: 3,
      shifts: { every: 'day', handoff: '09:00' },
      restHours,
      smallHours: 0,
      stages,
    },
    ...{ records: [], limits: {}, people: {}, shares: {}, neverTwoJuniors: false, onlyWith: [] },
    ...{ neverTogether: [], shadows: [] },
    ...{
      weights: { night: 1, weekend: 1, holiday: 1 },
      elsewhere: 'allow',
      isElsewhere: false,
      countElsewhere: false,
    },
    late(published) {
      const coming = published.filter(({ from, who }) => from > now + DAY && who !== null);
      const first = draw.one(coming);
      const spans = Array.from({ length: draw.whole(1, 3) }, () => draw.one(coming));
      return [first, ...spans].map((shift, index) => {
        const length = draw.whole(1, index === 0 ? 5 : 2) * DAY;
        return { who: shift.who ?? '', type: 'hard_unavailable', from: shift.from, to: shift.from + length };
      });
    },
  };
}

/** Hand-offs from the one before `now` to the end of the plan, worked out by the local clock. */
function handoffsOf(
  { zone, weeks, shifts }: Pick<Drawn, 'zone' | 'weeks' | 'shifts'>,
  now: number,
): number[] {
  const start = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
  const end = now + weeks * 7 * DAY;
  const [time = '', weekday] = shifts.handoff.split(' ').toReversed();
  const first = Temporal.PlainTime.from(time);
  const times = shifts.every === '12 hours' ? [first, first.add({ hours: 12 })] : [first];
  times.sort(Temporal.PlainTime.compare);
  const found: number[] = [];
  for (let days = -8; ; days++) {
    const date = start.toPlainDate().add({ days });
    if (weekday !== undefined && date.dayOfWeek !== WEEKDAYS.indexOf(weekday) + 1) continue;
    for (const plainTime of times) {
      found.push(date.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds);
      if ((found.at(-1) ?? 0) < end) continue;
      const running = found.findLastIndex((at) => at <= now);
      return found.slice(running);
    }
  }
}

/** The shifts between these hand-offs: those that are not over, in the hours of the pattern. */
function stintsOf(pattern: Pick<Drawn, 'zone' | 'weeks' | 'shifts'>, now: number): Span[] {
  const handoffs = handoffsOf(pattern, now);
  const all = handoffs.slice(1).map((to, index) => ({ from: handoffs[index] ?? 0, to }));
  const { hours } = pattern.shifts;
  if (!hours) return all;
  const open = windowsOf(hours, pattern.zone, handoffs[0] ?? 0, handoffs.at(-1) ?? 0);
  return all.flatMap((shift) => {
    const parts = open
      .map(([from, to]): [number, number] => [Math.max(from, shift.from), Math.min(to, shift.to)])
      .filter(([from, to]) => from < to);
    const [from, to] = [parts[0]?.[0] ?? 0, parts.at(-1)?.[1] ?? 0];
    return to > now ? [{ from, to, parts }] : [];
  });
}

/** A shift from a later time on. */
export function since<S extends Span>(shift: S, at: number): S {
  const parts = shift.parts
    ?.map(([from, to]): [number, number] => [Math.max(from, at), to])
    .filter(([from, to]) => from < to);
  return { ...shift, from: Math.max(shift.from, at), ...(parts ? { parts } : {}) };
}

/** The times within hours, by the local clock; those that touch are one. */
function windowsOf(hours: readonly Hours[], zone: string, from: number, to: number): [number, number][] {
  const dateOf = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
  const found: [number, number][] = [];
  const last = dateOf(to);
  for (
    let date = dateOf(from).subtract({ days: 1 });
    Temporal.PlainDate.compare(date, last) <= 0;
    date = date.add({ days: 1 })
  ) {
    const own = hours
      .filter(({ days }) => days === undefined || days.includes(SHORT_DAYS[date.dayOfWeek - 1] ?? ''))
      .toSorted((a, b) => (a.from < b.from ? -1 : 1));
    for (const one of own) {
      const days = one.to > one.from && one.to !== '24:00' ? 0 : 1;
      const plainTime = one.to === '24:00' ? '00:00' : one.to;
      const at = (day: Temporal.PlainDate, time: string) =>
        day.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
      const [begins, ends] = [at(date, one.from), at(date.add({ days }), plainTime)];
      const before = found.at(-1);
      if (before?.[1] === begins) before[1] = ends;
      else found.push([begins, ends]);
    }
  }
  return found;
}

const SHORT_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The shifts of each seat, without people. */
export function placesOf({ stages, ...pattern }: Drawn, now: number): PlannedPlace[] {
  return stages.flatMap(({ stage, seats: all, members, layers }) => {
    let seat = 0;
    return (layers ?? [{ name: '', seats: all, members }]).flatMap((layer: DrawnLayer) => {
      const { shifts = pattern.shifts, zone = pattern.zone, seats } = layer;
      const stints = stintsOf({ ...pattern, shifts, zone }, now);
      return Array.from({ length: seats }, () => ++seat).flatMap((own) =>
        stints.map((stint) => ({ stage, seat: own, ...stint, who: null })),
      );
    });
  });
}

/** The same schedule with public holidays, some of them at weekends. */
export function withHolidays(drawn: Drawn, seed: number, now: number): Drawn {
  const draw = drawing(seed + 2_000);
  const holidays = Array.from({ length: draw.whole(1, 4) }, () =>
    new Date(now + draw.whole(0, drawn.weeks * 7) * DAY).toISOString().slice(0, 10),
  );
  const holiday = draw.one([1, 1, 2, 0]);
  const isWeekly = drawn.weeks > 2;
  return {
    ...drawn,
    what: `${drawn.what}, holidays ${holidays.join(' ')} times ${holiday}${isWeekly ? ' and of Bavaria' : ''}`,
    holidays: [...new Set(holidays)].sort(),
    ...(isWeekly ? { country: { country: 'DE', region: 'BY' } } : {}),
    weights: { ...drawn.weights, holiday },
  };
}

/** The same schedule with a stage before, between or after its own that is linked to the other schedule. */
export function withLinkedStage(drawn: Drawn, seed: number): Drawn {
  const linkedStage = drawing(seed + 3_000).one([0.5, 1.5, 3]);
  return { ...drawn, what: `${drawn.what}, stage ${linkedStage} linked`, isElsewhere: true, linkedStage };
}

/** Patterns of a second layer, by those of the schedule. */
const OTHER_PATTERNS: Record<string, Pattern[]> = {
  day: [
    { every: 'day', handoff: '21:00' },
    { every: '12 hours', handoff: '09:00' },
    { every: 'week', handoff: 'Thursday 17:00' },
  ],
  '12 hours': [
    { every: '12 hours', handoff: '02:00' },
    { every: 'day', handoff: '08:00' },
  ],
  week: [
    { every: 'week', handoff: 'Thursday 17:00' },
    { every: 'week', handoff: 'Monday 18:00' },
  ],
};

/** The same schedule with one of its stages divided into two layers, which may share people. */
export function withLayers(drawn: Drawn, seed: number): Drawn {
  const draw = drawing(seed + 4_000);
  const divided = draw.one(drawn.stages).stage;
  const people = [...new Set(drawn.stages.flatMap(({ members }) => members))].sort();
  const layer = (name: string): DrawnLayer => ({
    ...{ name, seats: draw.isOneIn(5) ? 2 : 1 },
    members: draw.some(people, draw.whole(2, people.length)),
  });
  const layers = [
    layer('first'),
    {
      ...layer('second'),
      ...(draw.isOneIn(3) ? {} : { shifts: draw.one(OTHER_PATTERNS[drawn.shifts.every] ?? []) }),
      ...(draw.isOneIn(2) ? { zone: draw.one(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata']) } : {}),
    },
  ];
  const seats = layers.reduce((sum, one) => sum + one.seats, 0);
  const stages = drawn.stages.map((one) =>
    one.stage === divided ? { ...one, seats, members: people, layers } : one,
  );
  const { edit, ...rest } = drawn;
  return {
    ...rest,
    what: `${drawn.what}, stage ${divided} in layers ${JSON.stringify(layers)}`,
    stages,
    // Other members would leave the layers.
    ...(edit && !edit.stages ? { edit } : {}),
  };
}

const WORKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'];
/** Hours by pattern; some shifts have none. */
const HOURS: Record<string, Hours[][]> = {
  day: [
    [{ from: '09:00', to: '17:00' }],
    [{ days: WORKDAYS, from: '07:00', to: '21:00' }],
    [{ from: '22:00', to: '06:00' }],
    [
      { from: '10:00', to: '13:00' },
      { from: '15:00', to: '19:00' },
    ],
    [{ days: ['sat', 'sun'], from: '00:00', to: '24:00' }],
  ],
  '12 hours': [
    [{ days: WORKDAYS, from: '06:00', to: '22:00' }],
    [{ days: [...WORKDAYS, 'sat'], from: '08:00', to: '20:00' }],
    [{ from: '20:00', to: '08:00' }],
    [
      { from: '06:00', to: '10:00' },
      { from: '18:00', to: '23:00' },
    ],
  ],
  week: [
    [{ days: WORKDAYS, from: '09:00', to: '17:00' }],
    [{ days: WORKDAYS, from: '18:00', to: '02:00' }],
    [{ from: '21:00', to: '09:00' }],
    [{ days: ['sat', 'sun'], from: '00:00', to: '24:00' }],
    [
      { days: WORKDAYS, from: '08:00', to: '12:00' },
      { days: ['mon', 'wed', 'sun'], from: '13:00', to: '18:00' },
    ],
  ],
};

/** The same schedule in layers of which one or both are on call only at some hours; in others, so is the whole schedule. */
export function withHours(drawn: Drawn, seed: number): Drawn {
  const layered = withLayers(drawn, seed);
  const draw = drawing(seed + 5_000);
  const inHours = (pattern: Pattern): Pattern => ({
    ...pattern,
    hours: draw.one(HOURS[pattern.every] ?? []),
  });
  const shifts = draw.isOneIn(4) ? inHours(drawn.shifts) : drawn.shifts;
  const isOne = draw.isOneIn(2);
  const stages = layered.stages.map((stage) => ({
    ...stage,
    ...(stage.layers
      ? {
          layers: stage.layers.map((layer, index) =>
            isOne && index === 0 ? layer : { ...layer, shifts: inHours(layer.shifts ?? drawn.shifts) },
          ),
        }
      : {}),
  }));
  const hours = [shifts, ...stages.flatMap(({ layers = [] }) => layers.map((layer) => layer.shifts))];
  return { ...layered, shifts, stages, what: `${layered.what}, in hours ${JSON.stringify(hours)}` };
}
