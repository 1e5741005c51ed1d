import type { Tx } from '../db/database.ts';
import { t } from '../language/contract.ts';
import type { ShiftRow } from '../schedules/difference.ts';
import {
  lockForPlanning,
  type PlannedSchedule,
  saveDifference,
  savePlanned,
  shiftsSince,
} from '../schedules/plan-store.ts';
import { plannedByStage } from '../schedules/planned-shifts.ts';
import type { PlannedShift } from '../schedules/planner.ts';
import { ignoredRules } from '../schedules/rules-of-strategy.ts';
import { namesOf } from '../schedules/store.ts';
import { notifyOfShiftChanges } from './drafts/notify-of-changes.ts';
import { handedOver } from './drafts/preview.ts';
import { type GapText, gapTexts } from './gap-text.ts';
import { overrideChanges } from './override-changes.ts';
import { SOON_MS } from './places.ts';
import { type PublishedChanges, publishedChanges } from './published-changes.ts';
import { peopleOf } from './reason-text.ts';
import { isOtherwise, type Revision, revisionTo } from './revision.ts';
import { settlePlan } from './settle-plan.ts';
import { planFingerprint, presentPlan } from './settled.ts';
import { type Planning, readPlanning } from './situation.ts';
import type { PlanFigures, Plans } from './solved-plans.ts';
import {
  discardDraft,
  fingerprintOf,
  insertDraft,
  insertPublishedPlan,
  saveFiguresInForce,
} from './store.ts';

/** What planning changed in the database. `gaps` are the current and future shifts that nobody can take. */
export type PlanSummary = {
  plannedUntil: Temporal.Instant;
  added: number;
  changed: number;
  removed: number;
  /** Changes to people's published shifts. */
  published: PublishedChanges;
  /** The members, their order or the hand-off times have changed, so a draft of a new plan follows. */
  isOtherwise: boolean;
  gaps: GapText[];
  /** Sentences about rules of the schedule that its strategy ignores. */
  ignored: string[];
  /** Null if nothing had to be solved. */
  figures: PlanFigures;
};

/**
 * Plans a schedule, enabled or not, from the running shift to `plan_ahead_weeks` after `at`, and never less far than
 * before. Running shifts stay, and so does everything that is still valid. Planning twice changes nothing. A person who
 * turns out to be away keeps the planned shift; covers, which are settled here too, decide who takes it. Locks the row
 * of the schedule. `plans` comes from `withSolvedPlans`, in its transaction.
 */
export async function planSchedule(
  tx: Tx,
  at: Temporal.Instant,
  scheduleId: string,
  plans: Plans,
): Promise<PlanSummary> {
  const schedule = await lockForPlanning(tx, scheduleId);
  if (!schedule) throw new Error(`schedule ${scheduleId} does not exist, so it cannot be planned`);
  const planning = await readPlanning(tx, at, schedule);
  const { difference, gaps, figures, sign, shifts } = await decide(tx, schedule, planning, plans);
  const { situation, input, until } = planning;
  const before = plannedByStage(situation.rows);
  const published = publishedChanges(before, shifts, situation.at, situation.at + SOON_MS);
  const isNew = isOtherwise(situation, input) && published.shifts > 0;
  await saveDifference(tx, at, schedule, difference);
  await savePlanned(tx, schedule, until, situation.stages);
  const counts = {
    added: difference.added.length,
    changed: difference.changed.length,
    removed: difference.removed.length,
  };
  if (figures && counts.added + counts.changed + counts.removed === 0)
    await saveFiguresInForce(tx, at, schedule.id, figures);
  else if (figures)
    await insertPublishedPlan(tx, at, {
      organizationId: schedule.organizationId,
      scheduleId,
      startsAt: at,
      endsAt: until,
      inputHash: planFingerprint(input, at.epochMilliseconds),
      figures,
    });
  // Before covers are settled, which notify of what they change themselves.
  await notifyOfChanges(tx, at, schedule, situation.rows, counts);
  await settlePlan(tx, at, schedule, situation, sign);
  if (isNew && schedule.enabled) await draftAnew(tx, at, schedule, until);
  const named = gaps.flatMap(({ reason }) => peopleOf(reason));
  const names = await namesOf(tx, schedule.organizationId, [...new Set(named)]);
  return {
    ...{ plannedUntil: until, ...counts, published, isOtherwise: isNew && schedule.enabled },
    ...{ gaps: gapTexts(gaps, names, schedule), figures },
    ignored: ignoredRules(schedule, schedule.rules),
  };
}

/** Notifies the people whose published shifts changed, and those whom overrides put on call or no longer do. */
async function notifyOfChanges(
  tx: Tx,
  at: Temporal.Instant,
  schedule: PlannedSchedule,
  rows: readonly ShiftRow[],
  { added, changed, removed }: Pick<PlanSummary, 'added' | 'changed' | 'removed'>,
): Promise<void> {
  if (added + changed + removed === 0 || !schedule.enabled || !schedule.plannedUntil) return;
  const now = at.epochMilliseconds;
  const published = schedule.plannedUntil.epochMilliseconds;
  const coming = (shifts: readonly ShiftRow[]) =>
    plannedByStage(shifts).filter(({ from }) => from > now && from < published);
  const after = await shiftsSince(tx, schedule.id, at);
  const changes = [
    ...handedOver(coming(rows), coming(after)),
    ...overrideChanges(rows, after).filter(({ from }) => from > now),
  ].sort((a, b) => a.from - b.from || a.stage - b.stage || a.seat - b.seat);
  await notifyOfShiftChanges(tx, at, schedule, changes, () =>
    t('Shifts of {schedule} were replanned.', { schedule: schedule.name }),
  );
}

/** Replaces any draft with one of a new plan, because an older draft is now outdated. */
async function draftAnew(
  tx: Tx,
  at: Temporal.Instant,
  { id, organizationId }: PlannedSchedule,
  until: Temporal.Instant,
): Promise<void> {
  const startsAt = at.add({ milliseconds: SOON_MS });
  await discardDraft(tx, at, id);
  if (Temporal.Instant.compare(startsAt, until) >= 0) return;
  const draft = { organizationId, scheduleId: id, freedom: 'fresh' as const, startsAt, endsAt: until };
  await insertDraft(tx, at, { ...draft, createdBy: null });
}

type Decision = Revision & { shifts: readonly PlannedShift[]; figures: PlanFigures; sign: string | null };

async function decide(
  tx: Tx,
  { id, strategy }: PlannedSchedule,
  { situation, input }: Planning,
  plans: Plans,
): Promise<Decision> {
  const planned = (shifts: readonly PlannedShift[]) => ({ shifts, ...revisionTo(shifts, situation) });
  if (strategy !== 'fair') return { ...planned(await plans.inTurns(input)), figures: null, sign: null };
  const fingerprint = planFingerprint(input, situation.at);
  if (fingerprint === (await fingerprintOf(tx, id))) {
    const known = plannedByStage(situation.rows);
    return { ...planned(presentPlan(input, known)), figures: null, sign: fingerprint };
  }
  const { shifts, figures } = await plans.planFor(input);
  // A plan that was not solved gets no fingerprint, so that the next run tries again.
  const sign = figures && planFingerprint(input, situation.at, shifts);
  return { ...planned(shifts), figures, sign };
}
