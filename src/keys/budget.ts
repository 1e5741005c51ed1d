import { Fault } from '../kit/fault.ts';

/** A token bucket: `perSecond` tokens flow in, at most `burst` stay. Times in milliseconds. */
export type Bucket = { tokens: number; at: number };
export type Rate = { perSecond: number; burst: number };

/** Takes `amount` tokens. `waitMs` is 0 when there were as many, else the time until there are; then none is taken. */
export function take(
  bucket: Bucket | undefined,
  rate: Rate,
  now: number,
  amount = 1,
): { bucket: Bucket; waitMs: number } {
  const held = bucket ?? { tokens: rate.burst, at: now };
  const tokens = Math.min(rate.burst, held.tokens + (Math.max(0, now - held.at) / 1_000) * rate.perSecond);
  if (tokens < amount)
    return { bucket: { tokens, at: now }, waitMs: ((amount - tokens) / rate.perSecond) * 1_000 };
  return { bucket: { tokens: tokens - amount, at: now }, waitMs: 0 };
}

export type Budgets = {
  /** Spends one request of a credential's budget; a 429 fault with `Retry-After` when it is used up. */
  spend(credential: string, purpose: 'pages' | 'other'): void;
};

const FORGET_AFTER_MS = 60_000;

/** Budgets of this process: with several nodes behind one address each grants its own. */
export function createBudgets(rate: Rate, now: () => number = () => performance.now()): Budgets {
  const buckets = new Map<string, Bucket>();
  let swept = now();

  function sweep(at: number): void {
    if (at - swept < FORGET_AFTER_MS) return;
    swept = at;
    for (const [name, bucket] of buckets) {
      if (bucket.tokens + ((at - bucket.at) / 1_000) * rate.perSecond >= rate.burst) buckets.delete(name);
    }
  }

  return {
    spend(credential, purpose) {
      const at = now();
      sweep(at);
      const name = `${purpose}:${credential}`;
      const { bucket, waitMs } = take(buckets.get(name), rate, at);
      buckets.set(name, bucket);
      if (waitMs === 0) return;
      const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
      const message = `is spent: at most ${rate.perSecond} requests a second for one key, ${rate.burst} at once; try again in ${seconds} s`;
      throw new Fault('too_many_requests', [{ field: 'rate limit', message }], {
        'retry-after': String(seconds),
      });
    },
  };
}
