const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
/** The longest delay that a provider may request; a page cannot wait longer for one channel. */
const LONGEST_REQUESTED_MS = 60_000;

/**
 * The delay before a failed delivery is retried: 1 s, 2 s, 4 s … 30 s, varied by a fifth, or the delay that the provider
 * requested if that is longer. `failures` counts from 1; `random` is from [0, 1).
 */
export function retryDelayMs(failures: number, requestedMs: number | undefined, random: number): number {
  const base = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  const spread = Math.round(base * (0.8 + 0.4 * random));
  return Math.max(spread, Math.min(requestedMs ?? 0, LONGEST_REQUESTED_MS));
}
