/**
 * Reads an ISO 8601 date and time with an offset or `Z`; without an offset it is UTC (contract, section 2).
 * Null for anything else, a date alone and impossible dates included.
 */
export function parseInstant(text: string): Temporal.Instant | null {
  const match =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d(?::?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?)?)(Z|[+-]\d\d(?::?\d\d)?)?$/i.exec(
      text.trim(),
    );
  if (!match) return null;
  const [, date, time, offset] = match;
  try {
    return Temporal.Instant.from(`${date}T${time}${offset ?? 'Z'}`);
  } catch {
    return null;
  }
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
