import { ignored, NO_EVENT, type Outcome } from '../webhooks/outcome.ts';
import type { ArrivedOutcome } from './apply-events.ts';

const WORDS = {
  raised: 'raised',
  updated: 'updated',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  waiting: 'held back for now',
} as const;

/** The result of a source's call, from the outcomes of its events. */
export function callOutcome(outcomes: readonly ArrivedOutcome[]): Outcome {
  const message = pagesText(outcomes, { one: 'was', many: 'were' });
  return message === null
    ? ignored(outcomes[0]?.reason ?? NO_EVENT)
    : { state: 'success', reason: null, message };
}

/** The effect that a call would have, as a sentence. */
export function wouldText(outcomes: readonly ArrivedOutcome[]): string {
  const would = 'would be';
  return pagesText(outcomes, { one: would, many: would }) ?? outcomes[0]?.reason ?? NO_EVENT;
}

function pagesText(outcomes: readonly ArrivedOutcome[], verb: { one: string; many: string }): string | null {
  const parts = Object.entries(WORDS).flatMap(([action, word]) => {
    const count = outcomes.filter((one) => one.action === action).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? `page ${verb.one}` : `pages ${verb.many}`} ${word}`];
  });
  return parts.length === 0 ? null : `${parts.join(', and ')}.`;
}
