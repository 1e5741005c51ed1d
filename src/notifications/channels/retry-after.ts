const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const DAY_MS = 86_400_000;

/**
 * Parses a `Retry-After` header, in seconds or as an HTTP date (RFC 9110, section 10.2.3). Returns milliseconds, at
 * most a day; undefined for anything else, including the past and negative numbers.
 */
export function parseRetryAfter(
  value: string | string[] | undefined,
  now: Temporal.Instant,
): number | undefined {
  const text = (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
  // `Date.parse` accepts almost any text, even "-1", so the format is checked first.
  const ms = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now.epochMilliseconds
      : Number.NaN;
  return ms >= 0 ? Math.min(Math.round(ms), DAY_MS) : undefined;
}
