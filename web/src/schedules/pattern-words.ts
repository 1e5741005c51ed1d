/** A shift pattern as the fields of a form. Properties that the form does not know are kept in `rest`. */
export type PatternForm = {
  kind: 'day' | 'week' | 'days' | 'weeks' | 'hours' | 'rule';
  /** The number of days, weeks or hours; unused by other kinds. */
  count: number;
  rule: string;
  weekday: string;
  /** `09:00` */
  time: string;
  /** Null: around the clock. */
  hours: HoursForm[] | null;
  /** The date from which rotations count; empty when it does not matter. */
  startsOn: string;
  rest: Record<string, unknown>;
};
export type HoursForm = { days: string[]; from: string; to: string };

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const SHORT_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
export const USUAL_HOURS: HoursForm = { days: SHORT_DAYS.slice(0, 5), from: '09:00', to: '17:00' };

/** Midnight as the end of a day. */
export function endOfDay(time: string): string {
  return time === '00:00' ? '24:00' : time;
}

export function toForm(pattern: Record<string, unknown>): PatternForm {
  const { every, rrule, handoff, starts_on, hours, ...rest } = pattern;
  const [, weekday, time] = /^(?:([a-z]+) )?(\d\d:\d\d)$/i.exec(String(handoff ?? '')) ?? [];
  const [, count, unit] = /^(?:(\d+) )?(day|week|hour)s?$/.exec(String(every ?? '')) ?? [];
  return {
    ...kindOf(typeof rrule === 'string', Number(count ?? 1), unit),
    rule: typeof rrule === 'string' ? rrule : 'FREQ=WEEKLY;BYDAY=MO,FR',
    weekday: weekday ?? 'Monday',
    time: time ?? '09:00',
    hours: Array.isArray(hours) ? (hours as HoursForm[]) : null,
    startsOn: typeof starts_on === 'string' ? starts_on : '',
    rest,
  };
}

function kindOf(
  isRule: boolean,
  count: number,
  unit: string | undefined,
): Pick<PatternForm, 'kind' | 'count'> {
  if (isRule) return { kind: 'rule', count: 2 };
  if (unit === 'hour') return { kind: 'hours', count };
  if (unit === 'day') return count === 1 ? { kind: 'day', count: 2 } : { kind: 'days', count };
  return count === 1 ? { kind: 'week', count: 2 } : { kind: 'weeks', count };
}

export function fromForm(form: PatternForm): Record<string, unknown> {
  const { kind, count, rule, weekday, time, hours, startsOn, rest } = form;
  const weekly = kind === 'week' || kind === 'weeks';
  return {
    ...rest,
    ...(kind === 'rule'
      ? { rrule: rule }
      : { every: kind === 'day' || kind === 'week' ? kind : `${count} ${kind}` }),
    handoff: weekly ? `${weekday} ${time}` : time,
    ...(startsOn && kind !== 'day' && kind !== 'week' ? { starts_on: startsOn } : {}),
    ...(hours ? { hours } : {}),
  };
}
