import type { Language } from '../language/contract.ts';

/**
 * How the spreadsheet of a person writes a file. Programs send the form of the public interface instead: commas, and ISO 8601
 * (decision 0477).
 */
export type Sheet = {
  /** The zone of times that have no offset. */
  timeZone: string;
  /** Whether `3/4/2026` is in April. In English, it may be in either month. */
  isDayFirst: boolean;
};

export function sheetOf(timeZone: string, language: Language): Sheet {
  return { timeZone, isDayFirst: language !== 'en' };
}

/** What separates the columns of a file: what its first line has most often. */
export function delimiterOf(bytes: Buffer): string {
  const [line = ''] = bytes.toString('utf8', 0, 4_096).split(/[\r\n]/);
  const count = (one: string) => line.split(one).length;
  return [',', ';', '\t'].reduce((most, one) => (count(one) > count(most) ? one : most));
}

const DATE = /(\d{1,4})([./-])(\d{1,2})\2(\d{4}|\d{1,2})/;
const TIME = /(\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([ap])\.?m\.?)?/;
const WHOLE = new RegExp(`^${DATE.source}(?:,?[ T]${TIME.source})?$`, 'i');

/**
 * Reads a date as spreadsheets write it, with or without a time, such as `24.12.2026`, `24/12/26 9:00`, `12/24/2026 9:00 AM` and
 * `2026/12/24 09:00`. `edge`: a date without a time means the beginning of the day as a start, and its end as an end. Null for
 * anything else; `unclear` if the day and the month could be the other way round.
 */
export function parseSheetTime(
  text: string,
  sheet: Sheet,
  edge: 'start' | 'end',
): Temporal.Instant | 'unclear' | null {
  const match = WHOLE.exec(text.trim());
  if (!match) return null;
  const [, first = '', separator = '', second = '', last = '', hour, minute, seconds, half] = match;
  const date = dateOf([first, second, last], separator, sheet);
  if (date === null || date === 'unclear') return date;
  if (hour === undefined)
    return (edge === 'start' ? date : date.add({ days: 1 })).toZonedDateTime(sheet.timeZone).toInstant();
  const time = { hour: hourOf(Number(hour), half), minute: Number(minute), second: Number(seconds ?? 0) };
  try {
    const untilMidnight = time.hour === 24 && time.minute + time.second === 0;
    const day = untilMidnight ? date.add({ days: 1 }) : date;
    const plainTime = Temporal.PlainTime.from(
      { ...time, hour: untilMidnight ? 0 : time.hour },
      { overflow: 'reject' },
    );
    return day.toZonedDateTime({ timeZone: sheet.timeZone, plainTime }).toInstant();
  } catch {
    return null;
  }
}

function dateOf(
  [first, second, last]: readonly [string, string, string],
  separator: string,
  { isDayFirst }: Sheet,
): Temporal.PlainDate | 'unclear' | null {
  if (first.length > 2) return first.length === 4 && last.length < 3 ? plainDate(first, second, last) : null;
  const year = last.length === 4 ? last : `20${last.padStart(2, '0')}`;
  const [dayFirst, monthFirst] = [plainDate(year, second, first), plainDate(year, first, second)];
  if (separator === '.') return dayFirst;
  if (isDayFirst) return dayFirst ?? monthFirst;
  return dayFirst && monthFirst && !dayFirst.equals(monthFirst) ? 'unclear' : (dayFirst ?? monthFirst);
}

function plainDate(year: string, month: string, day: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(day) },
      { overflow: 'reject' },
    );
  } catch {
    return null;
  }
}

/** The hour of a 24-hour clock. An hour that a 12-hour clock does not have becomes one that no clock has. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return 99;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}
