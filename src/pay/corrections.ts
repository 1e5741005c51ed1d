import type { Correction } from './contract.ts';
import { amountOf } from './money.ts';

/** Amounts by person and rate table. */
export type Amounts = ReadonlyMap<string, bigint>;

export function keyOf({ userId, tableId }: { userId: string; tableId: string }): string {
  return `${userId} ${tableId}`;
}

export type Paid = {
  periodId: string;
  userId: string;
  tableId: string;
  amount: bigint;
  corrections: readonly Correction[];
};

export type Difference = { key: string; published: bigint; now: bigint };

/**
 * The payments for a period so far: its own statement, and its corrections in later periods. Compared with the amounts
 * of today; contains only differences.
 */
export function differencesOf(periodId: string, paid: readonly Paid[], now: Amounts): Difference[] {
  const before = new Map<string, bigint>();
  const add = (key: string, amount: bigint) => before.set(key, (before.get(key) ?? 0n) + amount);
  for (const statement of paid) {
    const key = keyOf(statement);
    if (statement.periodId === periodId) add(key, statement.amount);
    for (const { period, amount } of statement.corrections)
      if (period.id === periodId) add(key, amountOf(amount));
  }
  return [...new Set([...before.keys(), ...now.keys()])]
    .map((key) => ({ key, published: before.get(key) ?? 0n, now: now.get(key) ?? 0n }))
    .filter(({ published, now: today }) => published !== today);
}
