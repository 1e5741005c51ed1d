/** How long a command that waits for an outcome tolerates a server that does not answer, for example while it restarts. */
export const LONGEST_SILENCE_MS = 120_000;

/** Measures for how long a server has not answered. Times are those of `performance.now()`. */
export function createSilence(now: () => number = () => performance.now()) {
  let since: number | null = null;
  return {
    answered(): void {
      since = null;
    },
    /** Counts a request without an answer, which was sent at `sentAt`; returns whether the silence is too long. */
    isTooLong(sentAt: number): boolean {
      since ??= sentAt;
      return now() - since > LONGEST_SILENCE_MS;
    },
    /** Whether the last request had no answer. */
    get lasts(): boolean {
      return since !== null;
    },
  };
}
