import type { Urgency } from './contract.ts';
import { decideTeamStep, type Escalation, MAX_ROUNDS, type Recipient, type Step } from './escalation.ts';

export type ForecastStep =
  | {
      at: Temporal.Instant;
      kind: 'notify';
      as: Recipient['kind'];
      stage: number | null;
      round: number;
      userIds: string[];
    }
  | { at: Temporal.Instant; kind: 'expire' };

const MOST_STEPS = 6;

/**
 * What a page will do if nobody answers and no shift ends meanwhile: the rest of this round, and the first step of the
 * next one. It uses the same rule as the real steps.
 */
export function forecast(
  next: { step: Step; dueAt: Temporal.Instant },
  urgency: Urgency,
  escalation: Escalation | null,
  lastRound: number = MAX_ROUNDS,
): ForecastStep[] {
  const steps: ForecastStep[] = [];
  let { step, dueAt: at } = next;
  while (steps.length < MOST_STEPS) {
    if (step.kind === 'expire' || escalation === null) {
      if (step.kind === 'expire') steps.push({ at, kind: 'expire' });
      break;
    }
    const decision = decideTeamStep(step, urgency, escalation, lastRound);
    const [first] = decision.notify;
    if (first) {
      const userIds = decision.notify.map(({ userId }) => userId);
      steps.push({ at, kind: 'notify', as: first.kind, stage: first.stage, round: step.round, userIds });
    }
    if (step.round > next.step.round) break;
    at = at.add({ milliseconds: Math.round(decision.next.afterMs) });
    step = decision.next.step;
  }
  return steps;
}
