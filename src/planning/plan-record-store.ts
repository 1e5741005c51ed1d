import type { Handle, Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { PlanFigures } from './solved-plans.ts';

export type PublishedPlan = {
  organizationId: string;
  scheduleId: string;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  inputHash: string;
  figures: NonNullable<PlanFigures>;
};

/** Keeps what is known of a plan that was published by itself, or on the command line. */
export async function insertPublishedPlan(
  tx: Tx,
  at: Temporal.Instant,
  plan: PublishedPlan,
): Promise<string> {
  const id = newId('plan');
  await tx
    .insertInto('plans')
    .values({
      id,
      organization_id: plan.organizationId,
      schedule_id: plan.scheduleId,
      state: 'published',
      freedom: 'keep',
      as_of: at,
      starts_at: plan.startsAt,
      ends_at: plan.endsAt,
      input_hash: plan.inputHash,
      figures: JSON.stringify(plan.figures),
      created_at: at,
      updated_at: at,
      published_at: at,
    })
    .execute();
  return id;
}

/** The sign of what was planned last; null before the first plan. */
export async function fingerprintOf(db: Handle, scheduleId: string): Promise<string | null> {
  const row = await db
    .selectFrom('schedules')
    .select('settled')
    .where('id', '=', scheduleId)
    .executeTakeFirst();
  return row?.settled ?? null;
}

export async function saveFingerprint(tx: Tx, scheduleId: string, sign: string | null): Promise<void> {
  await tx.updateTable('schedules').set({ settled: sign }).where('id', '=', scheduleId).execute();
}
