const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
/** What a provider asks for is honoured up to a minute: a page cannot wait longer for one channel. */
const LONGEST_ASKED_MS = 60_000;

/**
 * How long until a delivery that failed for now is tried again: 1 s, 2 s, 4 s … 30 s, spread by a fifth, or what the
 * provider asked for if that is longer. `failures` counts from 1; `random` is from [0, 1).
 */
export function retryDelayMs(failures: number, askedMs: number | undefined, random: number): number {
  const base = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  const spread = Math.round(base * (0.8 + 0.4 * random));
  return Math.max(spread, Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}
