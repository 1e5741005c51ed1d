import { stringify } from 'yaml';
import { instantText } from '../src/kit/instant.ts';
import { emailOf, OWNER, PEOPLE, TEAMS } from './people.ts';
import type { Random } from './random.ts';

const ORGANIZATION = 'Fernway Parcels';

/** Weeks of history in the example; schedules are planned in steps of at most half a year. */
export const WEEKS_BACK = 52;
const WEEKS_AHEAD = 26;

/** The example as an operator's file, which `apply` treats like any other. */
export function exampleFile(now: Temporal.Instant, random: Random): string {
  return stringify({
    organization: { name: ORGANIZATION, time_zone: 'Europe/Berlin' },
    users: PEOPLE.map(({ handle, name, role, timeZone, phone }, index) => ({
      email: emailOf(handle),
      name,
      username: handle,
      role,
      time_zone: timeZone,
      contact_methods: [
        { type: 'phone', value: phone },
        { type: 'chat', value: handle, chat_user_id: `U0EXAMPLE${String(index + 1).padStart(2, '0')}` },
        { type: 'email', value: emailOf(handle) },
      ],
    })),
    teams: TEAMS.map(({ name, slug, members }) => ({ name, slug, members: members.map(emailOf) })),
    schedules: schedules(now),
    availabilities: PEOPLE.flatMap(({ handle, timeZone }) => absences(handle, timeZone, now, random)),
  });
}

export type LateAbsence = { handle: string; name: string; from: Temporal.Instant; to: Temporal.Instant };

/** Absences that are entered after planning, so that covers are needed. */
export function lateAbsencesFile(absences: readonly LateAbsence[]): string {
  return stringify({
    organization: { name: ORGANIZATION },
    availabilities: absences.map(({ handle, name, from, to }) => ({
      user: emailOf(handle),
      type: 'hard_unavailable',
      name,
      start: instantText(from),
      end: instantText(to),
    })),
  });
}

function schedules(now: Temporal.Instant) {
  const common = { plan_ahead_weeks: WEEKS_AHEAD, cover: 'propose' };
  return [
    {
      ...common,
      name: 'Platform',
      team: 'platform',
      time_zone: 'Europe/Berlin',
      strategy: 'fair',
      description: 'Everything that parcels run on, round the clock',
      backstop: emailOf('jonas'),
      rest_hours: 24,
      shifts: { every: 'week', handoff: 'Monday 09:00' },
      holidays: { days: holidays(now) },
      weights: { weekend: 2, holiday: 3 },
      stages: [
        stage(1, ['mira', 'sofia', 'tomasz', 'ines', 'lena'], 5),
        stage(2, ['jonas', 'tomasz', 'ines', 'lena'], 10),
      ],
    },
    {
      ...common,
      name: 'Payments',
      team: 'payments',
      time_zone: 'Europe/London',
      strategy: 'fair',
      description: 'Charges, refunds and payouts',
      backstop: emailOf('aisha'),
      shifts: { rrule: 'FREQ=WEEKLY;BYDAY=MO,FR', handoff: '10:00' },
      weights: { weekend: 2 },
      stages: [stage(1, ['aisha', 'callum', 'oliver', 'femi'], 5)],
    },
    {
      ...common,
      name: 'Data, follow the sun',
      team: 'data',
      time_zone: 'UTC',
      strategy: 'rotation',
      description: 'Tracking and forecasts, followed around the world',
      backstop: emailOf('grace'),
      shifts: { every: 'week', handoff: 'Monday 00:00' },
      stages: [
        {
          stage: 1,
          escalate_after_minutes: 10,
          layers: [
            layer('Americas', ['grace', 'noah', 'mateo'], 'America/New_York', '08:00', '20:00'),
            layer('Asia', ['hana', 'ren', 'priya'], 'Asia/Tokyo', '09:00', '22:00'),
          ],
        },
      ],
    },
    {
      ...common,
      name: 'Incident leads',
      team: 'platform',
      time_zone: 'Europe/Berlin',
      strategy: 'rotation',
      description: 'Incident leads for large outages',
      backstop: emailOf('jonas'),
      shifts: { every: 'week', handoff: 'Wednesday 14:00' },
      stages: [stage(3, ['jonas', 'sofia', 'ines'], 15)],
    },
  ];
}

function stage(number: number, members: readonly string[], minutes: number) {
  return { stage: number, members: members.map(emailOf), escalate_after_minutes: minutes };
}

function layer(name: string, members: readonly string[], timeZone: string, from: string, to: string) {
  return {
    name,
    members: members.map(emailOf),
    time_zone: timeZone,
    shifts: { every: 'week', hours: [{ from, to }] },
  };
}

const HOLIDAYS = [
  ['01-01', "New Year's Day"],
  ['05-01', 'Labour Day'],
  ['10-03', 'Day of German Unity'],
  ['12-25', 'Christmas Day'],
  ['12-26', 'Boxing Day'],
] as const;

function holidays(now: Temporal.Instant) {
  const { year } = now.toZonedDateTimeISO('UTC');
  return [year - 1, year, year + 1].flatMap((one) =>
    HOLIDAYS.map(([day, name]) => ({ date: `${one}-${day}`, name })),
  );
}

type Kind = 'hard_unavailable' | 'soft_unavailable' | 'requested';

const WISHES: readonly (readonly [Kind, string, number])[] = [
  ['soft_unavailable', 'School play', 1],
  ['soft_unavailable', 'Concert', 1],
  ['soft_unavailable', "Friend's wedding", 3],
  ['hard_unavailable', 'Conference', 3],
  ['hard_unavailable', 'Moving house', 2],
  ['requested', 'Would like this one', 7],
];

/** Holidays every few months with preferences between them, over the whole example. */
function absences(handle: string, timeZone: string, now: Temporal.Instant, random: Random) {
  const found: ReturnType<typeof record>[] = [];
  for (let day = -7 * WEEKS_BACK + random.whole(10, 90); day < 7 * WEEKS_AHEAD; ) {
    const isHoliday = random.chance(0.35);
    const [kind, name, days] = isHoliday
      ? (['hard_unavailable', 'Holiday', random.pick([4, 7, 7, 12])] as const)
      : random.pick(WISHES);
    // The owner is available in the coming weeks, so that they are asked to cover for others.
    if (handle !== OWNER || day + days < 0 || day > 60)
      found.push(record(handle, kind, name, now, day, days, timeZone));
    day += days + random.whole(6, 50);
  }
  return found;
}

/** Whole days in the person's zone; `day` counts from now. */
function record(
  handle: string,
  type: Kind,
  name: string,
  now: Temporal.Instant,
  day: number,
  days: number,
  timeZone: string,
) {
  const start = now.toZonedDateTimeISO(timeZone).startOfDay().add({ days: day });
  return {
    user: emailOf(handle),
    type,
    name,
    start: instantText(start.toInstant()),
    end: instantText(start.add({ days }).toInstant()),
  };
}
