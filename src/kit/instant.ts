/** What both PostgreSQL and ISO 8601 with a year of four digits can tell, to the millisecond. */
const EARLIEST = Temporal.Instant.from('0001-01-01T00:00:00Z');
const LATEST = Temporal.Instant.from('9999-12-31T23:59:59.999Z');

const DATE = /(\d{4}-\d\d-\d\d|\d{8})/;
const TIME = /(\d\d(?::?\d\d(?::?(\d\d)(?:[.,]\d{1,9})?)?)?)/;
const OFFSET = /(Z|[+-]\d\d(?::?\d\d)?)?/;
const DATE_AND_TIME = new RegExp(`^${DATE.source}[T ]${TIME.source}${OFFSET.source}$`, 'i');
const END_OF_DAY = /^24(:?00(:?00([.,]0+)?)?)?$/;

/**
 * Reads an ISO 8601 date and time with an offset or `Z`; without an offset it is UTC (contract, section 2). The form
 * without separators, as calendars write it, is read as well. 24:00 is the end of that day, which is 00:00 of the next.
 * Null for anything else: a date alone, impossible dates, times after 24:00, more than nine digits of a second, years
 * before 1 and after 9999.
 *
 * A leap second is read as the second before it: whoever tells us of one does no wrong, but no clock here knows it.
 */
export function parseInstant(text: string): Temporal.Instant | null {
  const match = DATE_AND_TIME.exec(text.trim());
  if (!match) return null;
  const [, date, time, seconds, offset] = match;
  const untilMidnight = END_OF_DAY.test(time ?? '');
  try {
    const read = Temporal.Instant.from(`${date}T${untilMidnight ? '00' : time}${offset ?? 'Z'}`);
    const at = untilMidnight ? read.add({ hours: 24 }) : read;
    if (seconds === '60' && !endsDay(at)) return null;
    return isTellable(at) ? at : null;
  } catch {
    return null;
  }
}

/** Leap seconds are the last of a day in UTC. */
function endsDay(at: Temporal.Instant): boolean {
  const { hour, minute } = at.toZonedDateTimeISO('UTC');
  return hour === 23 && minute === 59;
}

function isTellable(at: Temporal.Instant): boolean {
  return Temporal.Instant.compare(at, EARLIEST) >= 0 && Temporal.Instant.compare(at, LATEST) <= 0;
}

/** ISO 8601 in UTC with milliseconds and `Z`, as every timestamp leaves us. */
export function instantText(at: Temporal.Instant): string {
  return at.toString({ fractionalSecondDigits: 3 });
}

export function instantTextOrNull(at: Temporal.Instant | null): string | null {
  return at ? instantText(at) : null;
}

/** What a person reads about a wrong timestamp. */
export const INSTANT_HINT = 'an ISO 8601 date and time such as 2026-11-20T09:00:00Z';
