import { isDeepStrictEqual } from 'node:util';
import { settleCovers } from '../covers/settle.ts';
import type { Tx } from '../db/database.ts';
import { overridesSince, type PlannedSchedule } from '../schedules/plan-store.ts';
import type { Situation } from './revision.ts';
import { planFingerprint } from './settled.ts';
import { readPlanning } from './situation.ts';
import { saveFingerprint } from './store.ts';

/**
 * Settles the covers of a plan that was just saved, and saves its fingerprint. Covers that this applies or withdraws
 * belong to the plan and do not cause another planning run. `overrides`: those before settling.
 */
export async function settlePlan(
  tx: Tx,
  at: Temporal.Instant,
  schedule: PlannedSchedule,
  { overrides }: Pick<Situation, 'overrides'>,
  sign: string | null,
): Promise<void> {
  await settleCovers(tx, at, schedule.id);
  const isOther =
    sign !== null && !isDeepStrictEqual(idsOf(await overridesSince(tx, schedule.id, at)), idsOf(overrides));
  const now = isOther
    ? planFingerprint((await readPlanning(tx, at, schedule)).input, at.epochMilliseconds)
    : sign;
  await saveFingerprint(tx, schedule.id, now);
}

/** Includes the times, because a cover may shorten an override. */
function idsOf(overrides: Situation['overrides']): string[] {
  return overrides.map(({ id, seat, from, to, userId }) => `${id} ${seat} ${from} ${to} ${userId}`).sort();
}
