import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';

/** The state of a token bucket: `Rate.perSecond` tokens are added, up to `Rate.burst`. Times in milliseconds. */
export type Bucket = { tokens: number; at: number };
export type Rate = { perSecond: number; burst: number };

/**
 * Takes `amount` tokens. `waitMs` is 0 on success; otherwise no token is taken, and it is the time until there are
 * enough.
 */
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
  /** As `spend`, but returns the fault; null on success. */
  refusal(credential: string, purpose: 'pages' | 'other'): Fault | null;
  /**
   * Spends one request of a credential's budget.
   * @throws Fault 429 with `Retry-After` when the budget is used up
   */
  spend(credential: string, purpose: 'pages' | 'other'): void;
};

const FORGET_AFTER_MS = 60_000;

/** The budgets of this process; each of several nodes behind one address grants its own. */
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

  function refusal(credential: string, purpose: 'pages' | 'other'): Fault | null {
    const at = now();
    sweep(at);
    const name = `${purpose}:${credential}`;
    const { bucket, waitMs } = take(buckets.get(name), rate, at);
    buckets.set(name, bucket);
    if (waitMs === 0) return null;
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    const message = t(
      'is used up: one key may send {perSecond} requests a second and {burst} at once; try again in {seconds} s',
      { perSecond: rate.perSecond, burst: rate.burst, seconds },
    );
    return new Fault('too_many_requests', [{ field: 'rate limit', message }], {
      'retry-after': String(seconds),
    });
  }

  return {
    refusal,
    spend(credential, purpose) {
      const refused = refusal(credential, purpose);
      if (refused) throw refused;
    },
  };
}
