import type { Detail } from '../kit/fault.ts';
import { type Interval, union } from '../kit/interval.ts';
import { t } from '../language/contract.ts';

/**
 * Weekly hours on call in local time, as the database stores them. `days` are `mon` to `sun`; `to` is on the next day
 * if it is not after `from`, and `24:00` is the end of the day.
 */
export type Hours = { days: string[]; from: string; to: string };

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const LONG_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const KEYS = ['days', 'from', 'to'];
const MOST = 50;
const HINT = '[{ days: [mon-fri], from: "09:00", to: "17:00" }]';

/** Reads weekly hours and adds problems with fields such as `hours[0].from`. Null if they cannot be used. */
export function readHours(value: unknown, problems: Detail[], name = 'hours'): Hours[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST) {
    problems.push({
      field: name,
      message: t('must be a list of 1 to {most} times such as {hint}', { most: MOST, hint: HINT }),
    });
    return null;
  }
  const before = problems.length;
  const hours = value.map((item, index) => readOne(item, `${name}[${index}]`, problems));
  return problems.length > before ? null : hours.filter((one) => one !== null);
}

function readOne(value: unknown, field: string, problems: Detail[]): Hours | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push({
      field,
      message: t('must be an object such as {example}', {
        example: '{ days: [mon-fri], from: "09:00", to: "17:00" }',
      }),
    });
    return null;
  }
  const given = value as Record<string, unknown>;
  for (const key of Object.keys(given))
    if (!KEYS.includes(key))
      problems.push({
        field: `${field}.${key}`,
        message: t('is not a known key; the keys are {keys}', { keys: KEYS.join(', ') }),
      });
  const days = readDays(given.days, `${field}.days`, problems);
  const from = readTime(given.from, `${field}.from`, false, problems);
  const to = readTime(given.to, `${field}.to`, true, problems);
  if (from !== null && from === to)
    problems.push({
      field: `${field}.to`,
      message: t('is the same as from; give "00:00" to "24:00" for whole days'),
    });
  return days && from !== null && to !== null ? { days, from, to } : null;
}

/** Default: every day. */
function readDays(value: unknown, field: string, problems: Detail[]): string[] | null {
  if (value === undefined) return [...DAYS];
  const items = Array.isArray(value) ? value : [value];
  const found = items.map((item) => (typeof item === 'string' ? daysOf(item) : null));
  if (items.length > 0 && found.every((days) => days !== null)) {
    const wanted = new Set(found.flat());
    return DAYS.filter((day) => wanted.has(day));
  }
  const wrong = items[found.indexOf(null)];
  const problem =
    items.length === 0 ? t('is empty') : t('has {value}', { value: JSON.stringify(wrong) ?? t('no text') });
  problems.push({
    field,
    message: t('{problem}; give days such as [mon, wed], [mon-fri] or [sat, sun]', { problem }),
  });
  return null;
}

/** `mon`, `Monday`, `mon-fri`, `fri-mon`. */
function daysOf(text: string): string[] | null {
  const ends = text
    .trim()
    .toLowerCase()
    .split(/\s*-\s*/)
    .map(dayIndex);
  const [first = -1, last = first] = ends;
  if (ends.length > 2 || first < 0 || last < 0) return null;
  const count = ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_, index) => DAYS[(first + index) % 7] ?? '');
}

function dayIndex(text: string): number {
  return DAYS.includes(text) ? DAYS.indexOf(text) : LONG_DAYS.indexOf(text);
}

function readTime(value: unknown, field: string, endOfDay: boolean, problems: Detail[]): string | null {
  const match = typeof value === 'string' ? /^(\d{1,2}):(\d\d)$/.exec(value.trim()) : null;
  const [hour, minute] = [Number(match?.[1]), Number(match?.[2])];
  if (match && minute <= 59 && (hour <= 23 || (endOfDay && hour === 24 && minute === 0)))
    return `${String(hour).padStart(2, '0')}:${match[2]}`;
  const problem = value === undefined ? t('is missing') : t('is {value}', { value: JSON.stringify(value) });
  problems.push({
    field,
    message: t('{problem}; give a local time such as "{example}"', {
      problem,
      example: endOfDay ? '17:00' : '09:00',
    }),
  });
  return null;
}

/** The spans of the hours from the local day `first` to `last`, merged where they touch, ascending. */
export function windowsOf(
  hours: readonly Hours[],
  timeZone: string,
  first: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Interval[] {
  const spans: Interval[] = [];
  // Hours of the day before may reach into the first day.
  let date = first.subtract({ days: 1 });
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    const day = DAYS[date.dayOfWeek - 1] ?? '';
    for (const { days, from, to } of hours)
      if (days.includes(day)) {
        const end = to > from ? date : date.add({ days: 1 });
        spans.push({ from: at(date, from, timeZone), to: at(end, to, timeZone) });
      }
  }
  return union(spans);
}

function at(date: Temporal.PlainDate, time: string, timeZone: string): number {
  const [day, plainTime] = time === '24:00' ? [date.add({ days: 1 }), '00:00'] : [date, time];
  return day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
}
