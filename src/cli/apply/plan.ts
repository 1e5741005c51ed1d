import type { Tx } from '../../db/database.ts';
import { instantText } from '../../kit/instant.ts';
import { type PlanSummary, planSchedule } from '../../schedules/actions.ts';
import { listScheduleNames } from './store.ts';

export type SchedulePlan = PlanSummary & { id: string; name: string };

/** Plans every schedule of the organization at once: people, absences and patterns may have changed for any of them. */
export async function planSchedules(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  tell: (sentence: string) => void,
): Promise<SchedulePlan[]> {
  const plans: SchedulePlan[] = [];
  for (const { id, name } of await listScheduleNames(tx, organizationId)) {
    tell(`Planning ${name} …`);
    plans.push({ id, name, ...(await planSchedule(tx, at, id)) });
  }
  return plans;
}

/** Where nobody can be on call, one sentence a schedule. */
export function gapNotes(plans: readonly SchedulePlan[]): string[] {
  return plans.flatMap(({ name, gaps }) => {
    const [first] = gaps;
    if (!first) return [];
    const when = `stage ${first.stage} from ${instantText(first.startsAt)} to ${instantText(first.endsAt)}`;
    const more =
      gaps.length > 1 ? `, and in ${gaps.length - 1} more ${gaps.length === 2 ? 'gap' : 'gaps'}` : '';
    return [`schedule ${name}: nobody can be on call in ${when}${more}`];
  });
}
