import fc from 'fast-check';
import type { PersonRules } from '../../src/schedules/rules.ts';
import type { Rota, ScheduleStory } from './story.ts';

export const CREW = ['ada', 'alan', 'grace', 'joan'];

/** An edit of a schedule or of something on which it depends. The numbers choose among existing entries. */
const edit = fc.record({
  what: fc.constantFrom(
    ...(['shifts', 'shifts', 'members', 'members', 'seats', 'stages', 'layers', 'strategy'] as const),
    ...(['zone', 'rest', 'ahead', 'override', 'back', 'away', 'away', 'present', 'holiday'] as const),
    ...(['holidays', 'rules', 'cover', 'leave', 'nothing', 'nothing'] as const),
  ),
  a: fc.nat(1_000),
  b: fc.nat(1_000),
  c: fc.nat(1_000),
  /** Minutes since the previous edit. */
  later: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 180 }), fc.integer({ min: 1, max: 60 * 24 * 9 })),
});
export type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;
export const edits = fc.array(edit, { minLength: 2, maxLength: 10 });

const OFFICE = [{ days: ['mon-fri'], from: '09:00', to: '17:00' }];
const NIGHTS = [{ from: '20:00', to: '06:00' }];
const BROKEN = [
  { days: ['mon-thu'], from: '08:00', to: '12:00' },
  { days: ['tue-sat'], from: '13:30', to: '18:00' },
];
const SHIFTS = [
  { every: 'week', handoff: 'Monday 09:00' },
  { every: 'day', handoff: '09:00' },
  { every: 'day', handoff: '02:30' },
  { every: '12 hours', handoff: '08:00' },
  { every: '7 hours', handoff: '00:00' },
  { rrule: 'FREQ=WEEKLY;BYDAY=MO,TH', handoff: '17:00' },
  { every: 'week', hours: OFFICE },
  { every: 'day', handoff: '14:00', hours: OFFICE },
  { every: 'day', hours: NIGHTS },
  { every: 'week', handoff: 'Wednesday 14:00', hours: BROKEN },
  { every: 'day', handoff: '09:00', from: '2026-11-21' },
  { every: 'week', changes: [{ from: '2026-11-24', every: 'day', handoff: '12:00' }] },
  { every: 'day', hours: OFFICE, changes: [{ from: '2026-11-20', every: 'week', hours: NIGHTS }] },
];
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'];
const RULES = [
  { shiftsPerWeek: null, shiftsPerMonth: null },
  { shiftsPerWeek: 2, shiftsPerMonth: null },
  { shiftsPerWeek: null, shiftsPerMonth: 3 },
  { hoursPerWeek: 60, weekendsInARow: 1 },
  { shiftsInARow: 2, nightsInARow: 1, weekendsPerMonth: 1 },
];

export const FIRST: ScheduleStory = {
  timeZone: 'Europe/Berlin',
  strategy: 'fair',
  planAheadWeeks: 1,
  shifts: SHIFTS[1],
  stages: [{ members: ['ada', 'alan', 'grace'] }],
  overrides: [],
};

/** Applies one edit. Changes of the schedule itself are only made in the returned story, which the caller saves. */
export async function edited(rota: Rota, story: ScheduleStory, one: Edit): Promise<ScheduleStory> {
  const { what, a, b, c } = one;
  const stages = story.stages.map((stage) => ({ ...stage }));
  const at = a % stages.length;
  const stage = stages[at] ?? { members: [] };
  const now = await rota.clock.now(rota.db);
  const hours = (count: number) => now.add({ hours: count }).toString();
  switch (what) {
    case 'shifts':
      return { ...story, shifts: SHIFTS[a % SHIFTS.length] };
    case 'members':
      stages[at] = stage.layers ? { ...stage, layers: layersOf(b, c) } : { ...stage, members: crewOf(b) };
      return { ...story, stages };
    case 'seats':
      if (!stage.layers) stages[at] = { ...stage, seats: 1 + (b % 3) };
      return { ...story, stages };
    case 'stages':
      if (stages.length > 1) return { ...story, stages: stages.slice(0, 1) };
      return { ...story, stages: [...stages, { members: crewOf(b), seats: 1 + (c % 2) }] };
    case 'layers': {
      const { layers, seats: _, members: __, ...rest } = stage;
      stages[at] = layers ? { ...rest, members: crewOf(b) } : { ...rest, layers: layersOf(b, c) };
      return { ...story, stages };
    }
    case 'strategy':
      return { ...story, strategy: story.strategy === 'fair' ? 'rotation' : 'fair' };
    case 'zone':
      return { ...story, timeZone: ZONES[a % ZONES.length] ?? 'UTC' };
    case 'rest':
      return { ...story, restHours: [0, 8, 24][a % 3] ?? 0 };
    case 'ahead':
      return { ...story, planAheadWeeks: 1 + (a % 2) };
    case 'override':
      return {
        ...story,
        overrides: [
          ...(story.overrides ?? []),
          {
            ...{ stage: 1 + at, who: CREW[b % CREW.length] ?? 'ada' },
            ...{ from: hours((c % 200) - 20), to: hours((c % 200) - 20 + 1 + (b % 40)) },
          },
        ],
      };
    case 'back':
      return { ...story, overrides: (story.overrides ?? []).filter((_, index) => index % 2 !== a % 2) };
    case 'rules':
      return {
        ...story,
        planning: {
          weights: { night: 1, weekend: 1, holiday: 1 },
          limits: RULES[a % RULES.length] ?? {},
          elsewhere: 'avoid',
          countElsewhereSince: null,
          shares: {},
          smallAbsenceHours: [8, 0][b % 2] ?? 8,
          people: c % 3 === 0 ? peopleOf(rota) : {},
          neverTwoJuniors: b % 3 === 0,
          neverTogether: b % 4 === 1 ? [['ada', 'grace'].map((name) => rota.people[name] ?? '')] : [],
        },
      };
    case 'cover':
      return { ...story, cover: story.cover === 'apply' ? 'propose' : 'apply' };
    case 'holidays':
      return { ...story, holidays: story.holidays === 'uncovered' ? 'weight' : 'uncovered' };
    default:
      await aroundIt(rota, one, hours);
      return story;
  }
}

/** Rules of single people. */
function peopleOf({ people: { ada = '', alan = '' } }: Rota): Record<string, PersonRules> {
  const never = [{ days: ['sat', 'sun'], from: '08:00', to: '20:00', since: 0 }];
  return {
    [ada]: { level: 'junior', never },
    [alan]: { level: 'junior', limits: { weekendsInARow: null, shiftsPerWeek: 1 }, until: '2026-11-29' },
  };
}

/** Applies an edit outside the schedule. */
async function aroundIt(
  rota: Rota,
  { what, a, b, c }: Edit,
  hours: (count: number) => string,
): Promise<void> {
  const { db, people, clock } = rota;
  const who = CREW[a % CREW.length] ?? 'ada';
  if (what === 'away') await rota.away(who, hours((b % 220) - 20), hours((b % 220) - 20 + 1 + (c % 100)));
  if (what === 'present')
    await db
      .deleteFrom('availabilities')
      .where('user_id', '=', people[who] ?? '')
      .execute();
  if (what === 'leave') {
    const gone = a % 2 === 0 ? await clock.now(db) : null;
    await db
      .updateTable('users')
      .set({ disabled_at: gone })
      .where('id', '=', people[who] ?? '')
      .execute();
  }
  if (what === 'holiday') {
    const date = hours((b % 200) + 1).slice(0, 10);
    await db
      .insertInto('holidays')
      .values({ calendar_id: CALENDAR, date, name: 'Holiday' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

const CALENDAR = 'holiday_calendar_edits';

/** Resets the organization to its state before all edits, at a time of its own. */
export async function beginAnew(rota: Rota, minutes: number): Promise<void> {
  const { db, clock, organizationId } = rota;
  for (const table of ['availabilities', 'schedules', 'holiday_calendars'] as const)
    await db.deleteFrom(table).execute();
  await db.updateTable('users').set({ disabled_at: null }).execute();
  const begin = Temporal.Instant.from('2026-11-18T00:00:00Z').add({ minutes });
  await clock.travelTo(db, begin);
  const row = { id: CALENDAR, organization_id: organizationId, schedule_id: null, name: 'Bank holidays' };
  await db
    .insertInto('holiday_calendars')
    .values({ ...row, created_at: begin, updated_at: begin })
    .execute();
}

function crewOf(number: number): string[] {
  const chosen = CREW.filter((_, index) => (number >> index) % 2 === 1);
  return number % 3 === 0 ? chosen.toReversed() : chosen;
}

function layersOf(b: number, c: number) {
  const [first, second] = [SHIFTS[b % SHIFTS.length], SHIFTS[c % SHIFTS.length]];
  return [
    { members: crewOf(b), shifts: first, timeZone: ZONES[c % ZONES.length] ?? 'UTC', seats: 1 },
    { members: crewOf(c), ...(c % 2 === 0 ? { shifts: second } : {}), seats: 1 + (b % 2) },
  ];
}
