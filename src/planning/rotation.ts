import type { PlannedShift, Planner, Refusal, Skipped, StageInput } from '../schedules/planner.ts';
import type { Duties } from './duties.ts';
import { type Chooser, planInTurns } from './turns.ts';

/**
 * A fixed order. A person who cannot take their turn is skipped, and gets it back at the next shift that they can take;
 * the order continues after the person who stood in. Nobody is owed more than one turn, so that a long absence does not
 * leave a backlog.
 */
export const rotation: Planner = { plan: (input) => planInTurns(input, turnsOf) };

function turnsOf(stage: StageInput, duties: Duties): Chooser {
  const order = stage.members.map(({ userId }) => userId);
  const owed = new Set<string>();
  let last = order.length - 1;
  /** The person who just made up for a skipped turn. */
  let returned: string | null = null;

  function see({ userId, reason }: PlannedShift): void {
    if (userId === null) return;
    returned = reason?.rule === 'owed' ? userId : null;
    if (reason?.rule === 'owed') {
      owed.delete(userId);
      return;
    }
    for (const { user_id } of reason?.skipped ?? []) if (order.includes(user_id)) owed.add(user_id);
    if (order.includes(userId)) last = order.indexOf(userId);
  }

  return {
    see,
    choose(place, able, refusals) {
      const inOrder = [...order.slice(last + 1), ...order.slice(0, last + 1)];
      const backToBack = (userId: string) => duties.isNextTo(userId, stage.stage, place);
      const candidates = [...owed, ...inOrder].filter((userId) => able.includes(userId));
      // Nobody gets two shifts in a row unless nobody else can take the second.
      const userId = candidates.find((candidate) => !backToBack(candidate)) ?? (candidates[0] as string);
      if (owed.has(userId)) return { userId, reason: { rule: 'owed', skipped: [] } };
      const passed = inOrder.slice(0, inOrder.indexOf(userId));
      // With two members, the other one always comes next, so no turn is lost.
      const isPassed = order.length > 2 && returned !== null && !refusals.has(returned);
      const justHad = isPassed ? passed.filter((other) => other === returned) : [];
      return { userId, reason: { rule: 'turn', skipped: skippedOf(passed, refusals, justHad) } };
    },
  };
}

/** `justHad`: people whose regular turn would directly follow a made-up turn, so they need a rest. */
function skippedOf(
  passed: readonly string[],
  refusals: ReadonlyMap<string, Refusal>,
  justHad: readonly string[],
): Skipped[] {
  return passed.flatMap((user_id) => {
    const refusal = justHad.includes(user_id) ? { because: 'rest' as const } : refusals.get(user_id);
    const { because } = refusal ?? {};
    // A person who has not joined yet, or has left, loses no turn.
    const isLost = because && because !== 'seated' && because !== 'not_yet' && because !== 'left';
    return refusal && isLost ? [{ user_id, ...refusal }] : [];
  });
}
