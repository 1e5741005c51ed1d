import type { Tx } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { type PlanSummary, planSchedule } from '../planning/actions.ts';
import { figuresText } from '../planning/figures-text.ts';
import { publishedChangesText } from '../planning/published-changes.ts';
import type { Plans } from '../planning/solved-plans.ts';
import { listScheduleNames } from './store.ts';

export type SchedulePlan = PlanSummary & { id: string; name: string };

/** Plans all schedules of the organization, because people, absences and patterns of any of them may have changed. */
export async function planSchedules(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  plans: Plans,
  report: (sentence: string) => void,
): Promise<SchedulePlan[]> {
  const done: SchedulePlan[] = [];
  for (const { id, name } of await listScheduleNames(tx, organizationId)) {
    report(`Planning ${name} …`);
    done.push({ id, name, ...(await planSchedule(tx, at, id, plans)) });
  }
  return done;
}

/** Notes about the new plans, one sentence each. */
export function planNotes(plans: readonly SchedulePlan[]): string[] {
  return plans.flatMap(({ name, figures, plannedUntil }) =>
    figures ? [`${name} is planned until ${instantText(plannedUntil)}: ${figuresText(figures)}`] : [],
  );
}

/** Changes to published shifts, a sentence for each schedule. */
export function publishedNotes(plans: readonly SchedulePlan[]): string[] {
  return plans.flatMap(({ name, published, isOtherwise }) => {
    if (!isOtherwise && published.handedOver + published.otherHours === 0) return [];
    const draft = isOtherwise ? '; if a new plan would be better, a draft of it follows' : '';
    return [`${name}: ${publishedChangesText(published)}${draft}`];
  });
}

/** Rules that plans ignore, a sentence for each schedule. */
export function ignoredNotes(plans: readonly SchedulePlan[]): string[] {
  return plans.flatMap(({ ignored }) => ignored);
}

/** Gaps, a sentence for each schedule. */
export function gapNotes(plans: readonly SchedulePlan[]): string[] {
  return plans.flatMap(({ name, gaps }) => {
    const [first] = gaps;
    if (!first) return [];
    const more = gaps.length > 1 ? `, and ${gaps.length - 1} more ${gaps.length === 2 ? 'gap' : 'gaps'}` : '';
    return [`schedule ${name}: ${first.sentence}${more}`];
  });
}
