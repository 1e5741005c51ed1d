import { type Rate, take } from '../keys/budget.ts';

const MIB = 1024 ** 2;

/** How many bytes may be stored at once, and how many more per hour. */
export type ByteBudget = {
  webhook: { atOnce: number; anHour: number };
  total: { atOnce: number; anHour: number };
};

/** For refused calls: anybody who knows the URL of a webhook can make any number of them. */
export const REFUSED_BYTES: ByteBudget = {
  webhook: { atOnce: 8 * MIB, anHour: MIB },
  total: { atOnce: 64 * MIB, anHour: 8 * MIB },
};

/** For processed calls, which are stored for people to read. Their moments are kept regardless of this budget. */
export const KEPT_BYTES: ByteBudget = {
  webhook: { atOnce: 256 * MIB, anHour: 32 * MIB },
  total: { atOnce: 1024 * MIB, anHour: 128 * MIB },
};

/** The approximate size of a row without its body: columns, headers and index entries. */
export const ROW_BYTES = 2_048;

export type ByteBudgets = {
  /** Spends the bytes and returns true if the budgets of the webhook and of this process allow them. */
  spend(webhookId: string, bytes: number): boolean;
};

/** The byte budgets of this process: one for each webhook, and one for all webhooks together. */
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
