import { parseInstant } from '../../kit/instant.ts';

/** The longest text of a time. */
const LONGEST = 80;
/** The upper limits of seconds, milliseconds, microseconds and nanoseconds, which do not overlap in this century. */
const UNITS = [
  { below: 1e11, perMillisecond: 1e-3 },
  { below: 1e14, perMillisecond: 1 },
  { below: 1e17, perMillisecond: 1e3 },
  { below: 1e20, perMillisecond: 1e6 },
] as const;

/**
 * A sender's time: ISO 8601, optionally with ` UTC` or a blank before the offset and as Go prints it (`… +0000 UTC m=+8.5`), or a
 * number since 1970 in the unit that its size suggests. Null for anything else and for the zero times of many languages
 * (year 1, 1970).
 */
export function senderTime(value: unknown): Temporal.Instant | null {
  if (typeof value === 'number') return epochTime(value);
  if (typeof value !== 'string' || value.length > LONGEST) return null;
  const text = value.trim();
  if (/^\d{9,19}(\.\d{1,9})?$/.test(text)) return epochTime(Number(text));
  const at = parseInstant(isoText(text));
  return at && at.epochMilliseconds > 0 ? at : null;
}

function isoText(text: string): string {
  return text
    .replace(/ m=[+-][\d.]+$/, '')
    .replace(/ ?([+-]\d\d:?\d\d) [A-Z]{3,4}$/, '$1')
    .replace(/ ?UTC$/i, 'Z')
    .replace(/ (?=[+-]\d\d:?\d\d$)/, '');
}

function epochTime(count: number): Temporal.Instant | null {
  const unit = UNITS.find(({ below }) => count < below);
  const milliseconds = unit ? Math.floor(count / unit.perMillisecond) : 0;
  return milliseconds > 0 ? Temporal.Instant.fromEpochMilliseconds(milliseconds) : null;
}

export function latest(...times: (Temporal.Instant | null)[]): Temporal.Instant | null {
  return times.reduce((a, b) => (a && b ? (Temporal.Instant.compare(a, b) < 0 ? b : a) : (a ?? b)), null);
}
