import type { HolidayDay } from '../../../calendars/api-contract.ts';
import { calendarUrl } from '../../../calendars/fetching.ts';
import { unique } from '../../../calendars/holiday-calendars.ts';
import type { HolidaysEntry } from './definition.ts';
import type { Value } from './value.ts';

/** `{ use: uncovered, url: https://… }`, or `days` instead of `url`. */
export function readHolidays(value: Value | undefined): HolidaysEntry | undefined {
  const fields = value?.fields('holidays', ['use', 'url', 'days']);
  if (!fields) return undefined;
  const url = fields.get('url');
  const days = fields.get('days');
  if (url && days) days.problem('stands beside url; keep one of the two');
  return {
    use: fields.get('use')?.choice(['weight', 'uncovered']),
    url: readAddress(url),
    days: readDays(days),
  };
}

function readAddress(value: Value | undefined): string | undefined {
  const text = value?.text({ max: 2_048 });
  if (value === undefined || text === undefined) return undefined;
  const url = calendarUrl(text);
  return (
    url?.href ??
    value.problem(`is ${JSON.stringify(text)}; give the http or https address of an iCalendar file`)
  );
}

function readDays(value: Value | undefined): HolidayDay[] | undefined {
  const days = value?.list()?.flatMap((item) => readDay(item) ?? []);
  return days && unique(days);
}

/** `2026-12-24`, or `{ date: 2026-12-24, name: Christmas Eve }`. */
function readDay(value: Value): HolidayDay | undefined {
  const plain = value.plain();
  if (typeof plain === 'string') return withDate(value, 'Holiday');
  const fields = value.fields('a holiday', ['date', 'name']);
  const name = fields?.get('name')?.text() ?? 'Holiday';
  const date = fields?.require('date', 'a date such as 2026-12-24');
  return date && withDate(date, name);
}

function withDate(value: Value, name: string): HolidayDay | undefined {
  const text = value.text() ?? '';
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return { date: Temporal.PlainDate.from(text).toString(), name };
  } catch {
    // An impossible date is answered like any other text.
  }
  return value.problem(`is ${JSON.stringify(text)}; give a date such as 2026-12-24`);
}
