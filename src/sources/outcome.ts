import { ignored, NO_EVENT, type Outcome } from '../webhooks/outcome.ts';
import type { ArrivedOutcome } from './apply-events.ts';

const WORDS = {
  raised: 'raised',
  updated: 'updated',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  waiting: 'held back for now',
} as const;

/** How the call of a source ended, from the outcomes of its events. */
export function callOutcome(outcomes: readonly ArrivedOutcome[]): Outcome {
  const parts = Object.entries(WORDS).flatMap(([action, word]) => {
    const count = outcomes.filter((one) => one.action === action).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? 'page was' : 'pages were'} ${word}`];
  });
  if (parts.length === 0) return ignored(outcomes[0]?.reason ?? NO_EVENT);
  return { state: 'success', reason: null, message: `${parts.join(', and ')}.` };
}
