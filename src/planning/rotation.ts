import type { Because, PlannedShift, Planner, StageInput } from '../schedules/planner.ts';
import type { Duties } from './duties.ts';
import { type Chooser, planInTurns } from './turns.ts';

/**
 * A fixed order. Who cannot is skipped, and gets the turn back at the next shift that they can take; the order goes
 * on after the one who stood in. One turn at a time is owed: nobody comes back from a long absence to a pile.
 */
export const rotation: Planner = { plan: (input) => planInTurns(input, turnsOf) };

function turnsOf(stage: StageInput, duties: Duties): Chooser {
  const order = stage.members.map(({ userId }) => userId);
  const owed = new Set<string>();
  let last = order.length - 1;
  /** Who got a turn back just now. */
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
      // Two shifts in a row only when nobody else can.
      const userId = candidates.find((candidate) => !backToBack(candidate)) ?? (candidates[0] as string);
      if (owed.has(userId)) return { userId, reason: { rule: 'owed', skipped: [] } };
      const passed = inOrder.slice(0, inOrder.indexOf(userId));
      // Of two, the other always comes next: nothing is lost by it.
      const isPassed = order.length > 2 && returned !== null && !refusals.has(returned);
      const justHad = isPassed ? passed.filter((other) => other === returned) : [];
      return { userId, reason: { rule: 'turn', skipped: skippedOf(passed, refusals, justHad) } };
    },
  };
}

/** `justHad`: whose regular turn came right after the one that was given back to them; they need a rest. */
function skippedOf(
  passed: readonly string[],
  refusals: ReadonlyMap<string, Because>,
  justHad: readonly string[],
): { user_id: string; because: Because }[] {
  return passed.flatMap((user_id) => {
    const because = justHad.includes(user_id) ? 'rest' : refusals.get(user_id);
    return because && because !== 'seated' ? [{ user_id, because }] : [];
  });
}
