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

/** Records the figures of a plan that the service or the command line published. */
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

/** The fingerprint of the last plan; null before the first one, or if it was not solved. */
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
