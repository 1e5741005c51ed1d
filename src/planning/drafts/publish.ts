import type { Tx } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { t } from '../../language/contract.ts';
import { recordAudit } from '../../people/store.ts';
import {
  forgetSharesFrom,
  type PlannedSchedule,
  saveDifference,
  savePlanned,
} from '../../schedules/plan-store.ts';
import { plannedByStage } from '../../schedules/planned-shifts.ts';
import type { PlannedShift } from '../../schedules/planner.ts';
import { namesOf } from '../../schedules/store.ts';
import { revisionTo } from '../revision.ts';
import { settlePlan } from '../settle-plan.ts';
import { planFingerprint, presentPlan } from '../settled.ts';
import { readPlanning } from '../situation.ts';
import { publishDraft, type StoredPlan } from '../store.ts';
import { notifyOfShiftChanges } from './notify-of-changes.ts';
import { outdatedBecause } from './outdated.ts';
import { handedOver } from './preview.ts';

/**
 * Makes a draft the plan of its schedule, whose row the caller has locked. Running shifts and those before the start of
 * the draft stay as they are. Notifies everybody whose shifts change. @throws Fault `conflict` if the input of the
 * draft has changed
 */
export async function publish(
  tx: Tx,
  at: Temporal.Instant,
  schedule: PlannedSchedule,
  draft: StoredPlan,
  userId: string,
): Promise<void> {
  const reason = await outdatedBecause(tx, at, schedule, draft);
  if (reason)
    throw new Fault('conflict', [
      { field: 'draft', message: t('cannot be published: {reason}', { reason }) },
    ]);
  const { situation, input } = await readPlanning(tx, at, schedule);
  const before = plannedByStage(situation.rows);
  const plan = withDraft(presentPlan(input, before), draft);
  const { difference } = revisionTo(plan, situation);
  await saveDifference(tx, at, schedule, difference);
  await savePlanned(tx, schedule, draft.endsAt, situation.stages);
  if (draft.freedom === 'fresh') await forgetSharesFrom(tx, schedule.id);
  await publishDraft(tx, at, draft, userId);
  const data = { name: schedule.name, starts_at: draft.startsAt.toString(), figures: draft.figures };
  await recordAudit(tx, at, schedule.organizationId, userId, [
    { action: 'plan.publish', subject: draft.id, data: { schedule: schedule.id, ...data } },
  ]);
  const from = draft.startsAt.epochMilliseconds;
  const changes = handedOver(
    before.filter((shift) => shift.from >= from),
    draft.shifts ?? [],
  );
  if (schedule.enabled) {
    const names = await namesOf(tx, schedule.organizationId, [userId]);
    const who = names.get(userId);
    const values = { who: who ?? '', schedule: schedule.name };
    const why = () =>
      who
        ? t('{who} published a new plan of {schedule}.', values)
        : t('Somebody published a new plan of {schedule}.', values);
    await notifyOfShiftChanges(tx, at, schedule, changes, why);
  }
  await settlePlan(tx, at, schedule, situation, planFingerprint(input, situation.at, plan));
}

/** Joins the current plan before the draft with the draft. The next planning run fills the time after the draft. */
function withDraft(present: readonly PlannedShift[], { startsAt, shifts }: StoredPlan): PlannedShift[] {
  const before = present.filter(({ from }) => from < startsAt.epochMilliseconds);
  return [...before, ...(shifts ?? [])];
}
