import type { Urgency } from './contract.ts';
import { decideTeamStep, type Ladder, MAX_ROUNDS, type Recipient, type Step } from './escalation.ts';

export type ForecastStep =
  | {
      at: Temporal.Instant;
      kind: 'ask';
      as: Recipient['kind'];
      stage: number | null;
      round: number;
      userIds: string[];
    }
  | { at: Temporal.Instant; kind: 'expire' };

const MOST_STEPS = 6;

/**
 * What a page will do if nobody answers and nobody's shift ends meanwhile: the rest of this round, and how the next
 * one begins. The same rule decides that decides when the time has come.
 */
export function forecast(
  next: { step: Step; dueAt: Temporal.Instant },
  urgency: Urgency,
  ladder: Ladder | null,
  lastRound: number = MAX_ROUNDS,
): ForecastStep[] {
  const steps: ForecastStep[] = [];
  let { step, dueAt: at } = next;
  while (steps.length < MOST_STEPS) {
    if (step.kind === 'expire' || ladder === null) {
      if (step.kind === 'expire') steps.push({ at, kind: 'expire' });
      break;
    }
    const decision = decideTeamStep(step, urgency, ladder, lastRound);
    const [first] = decision.notify;
    if (first) {
      const userIds = decision.notify.map(({ userId }) => userId);
      steps.push({ at, kind: 'ask', as: first.kind, stage: first.stage, round: step.round, userIds });
    }
    if (step.round > next.step.round) break;
    at = at.add({ milliseconds: Math.round(decision.next.afterMs) });
    step = decision.next.step;
  }
  return steps;
}
