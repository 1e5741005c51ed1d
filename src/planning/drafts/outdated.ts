import type { Tx } from '../../db/database.ts';
import { t } from '../../language/contract.ts';
import type { PlannedSchedule } from '../../schedules/plan-store.ts';
import { readPlanning } from '../situation.ts';
import type { StoredPlan } from '../store.ts';
import { inputHash } from './input.ts';

/** Why a draft can no longer be published, as a sentence; null if it can. */
export async function outdatedBecause(
  tx: Tx,
  at: Temporal.Instant,
  schedule: PlannedSchedule,
  draft: StoredPlan,
): Promise<string | null> {
  if (Temporal.Instant.compare(draft.startsAt, at) <= 0)
    return t('The draft begins at a time that has passed; make a new draft.');
  // Read the situation as of the time when the draft was made, so that only people's later changes count as
  // differences.
  const { input, situation } = await readPlanning(tx, draft.asOf, schedule, 'apply');
  if (inputHash(input, situation.overrides) === draft.inputHash) return null;
  return t('Shifts, absences, people or settings have changed since the draft was made; make a new draft.');
}
