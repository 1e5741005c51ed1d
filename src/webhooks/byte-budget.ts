import { type Rate, take } from '../keys/budget.ts';

const MIB = 1024 ** 2;

/** Bytes that may be kept at once, and how many more with each hour. */
export type ByteBudget = {
  webhook: { atOnce: number; anHour: number };
  total: { atOnce: number; anHour: number };
};

/** What is kept of calls that were refused: whoever has the address of a webhook can make as many as they like. */
export const REFUSED_BYTES: ByteBudget = {
  webhook: { atOnce: 8 * MIB, anHour: MIB },
  total: { atOnce: 64 * MIB, anHour: 8 * MIB },
};

/** What is kept of calls after they were worked on, for people to look at; their moments are kept whatever this says. */
export const KEPT_BYTES: ByteBudget = {
  webhook: { atOnce: 256 * MIB, anHour: 32 * MIB },
  total: { atOnce: 1024 * MIB, anHour: 128 * MIB },
};

/** A row, its headers and its place in indexes, beside the body. */
export const ROW_BYTES = 2_048;

export type ByteBudgets = {
  /** Whether so many bytes of this webhook's may still be kept; then they are spent. */
  spend(webhookId: string, bytes: number): boolean;
};

/** Budgets of this process, in bytes, for each webhook and for all together. */
export function createByteBudgets(
  budget: ByteBudget,
  now: () => number = () => performance.now(),
): ByteBudgets {
  const webhooks = new Map<string, Parameters<typeof take>[0]>();
  const rates = { webhook: rateOf(budget.webhook), total: rateOf(budget.total) };
  let total: Parameters<typeof take>[0];
  return {
    spend(webhookId, bytes) {
      const at = now();
      const own = take(webhooks.get(webhookId), rates.webhook, at, bytes);
      webhooks.set(webhookId, own.bucket);
      if (own.waitMs > 0) return false;
      const all = take(total, rates.total, at, bytes);
      total = all.bucket;
      return all.waitMs === 0;
    },
  };
}

function rateOf({ atOnce, anHour }: { atOnce: number; anHour: number }): Rate {
  return { burst: atOnce, perSecond: anHour / 3_600 };
}
