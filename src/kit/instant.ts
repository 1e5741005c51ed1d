/** The range that both PostgreSQL and ISO 8601 with four-digit years can represent, in milliseconds. */
const EARLIEST = Temporal.Instant.from('0001-01-01T00:00:00Z');
const LATEST = Temporal.Instant.from('9999-12-31T23:59:59.999Z');

const DATE = /(\d{4}-\d\d-\d\d|\d{8})/;
const TIME = /(\d\d(?::?\d\d(?::?(\d\d)(?:[.,]\d{1,9})?)?)?)/;
const OFFSET = /(Z|[+-]\d\d(?::?\d\d)?)?/;
const DATE_AND_TIME = new RegExp(`^${DATE.source}[T ]${TIME.source}${OFFSET.source}$`, 'i');
const END_OF_DAY = /^24(:?00(:?00([.,]0+)?)?)?$/;

/**
 * Parses an ISO 8601 date and time with an offset or `Z`; without an offset it is UTC (contract, section 2). Also
 * accepts the basic format without separators, which calendars use. 24:00 is midnight at the end of that day. A leap
 * second is read as the second before it, because no clock here can represent it.
 * Returns null for anything else: a date alone, impossible dates, times after 24:00, more than nine decimal places,
 * years before 1 or after 9999.
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
    return isWritable(at) ? at : null;
  } catch {
    return null;
  }
}

/** Leap seconds are only inserted at the end of a day in UTC. */
function endsDay(at: Temporal.Instant): boolean {
  const { hour, minute } = at.toZonedDateTimeISO('UTC');
  return hour === 23 && minute === 59;
}

function isWritable(at: Temporal.Instant): boolean {
  return Temporal.Instant.compare(at, EARLIEST) >= 0 && Temporal.Instant.compare(at, LATEST) <= 0;
}

/** ISO 8601 in UTC with milliseconds and `Z`, the format of all our timestamps. */
export function instantText(at: Temporal.Instant): string {
  return at.toString({ fractionalSecondDigits: 3 });
}

export function instantTextOrNull(at: Temporal.Instant | null): string | null {
  return at ? instantText(at) : null;
}

/** The part of an error message that says what a timestamp should look like. */
export const INSTANT_EXAMPLE = '2026-11-20T09:00:00Z';
export const INSTANT_HINT = `an ISO 8601 date and time such as ${INSTANT_EXAMPLE}`;
