const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const DAY_MS = 86_400_000;

/**
 * Milliseconds that a `Retry-After` header asks for: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined for
 * anything else, the past and negative numbers included; never more than a day.
 */
export function parseRetryAfter(
  value: string | string[] | undefined,
  now: Temporal.Instant,
): number | undefined {
  const text = (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
  // `Date.parse` makes a date of almost any text, "-1" too: the form is checked before.
  const ms = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now.epochMilliseconds
      : Number.NaN;
  return ms >= 0 ? Math.min(Math.round(ms), DAY_MS) : undefined;
}
