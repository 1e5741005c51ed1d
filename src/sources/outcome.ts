import { stored, t, tIn } from '../language/contract.ts';
import { storedText } from '../language/stored.ts';
import { ignored, NO_EVENT, type Outcome } from '../webhooks/outcome.ts';
import type { ArrivedOutcome } from './apply-events.ts';

/** The result of a source's call, from the outcomes of its events. */
export function callOutcome(outcomes: readonly ArrivedOutcome[]): Outcome {
  const message = pagesText(outcomes);
  return message === null
    ? ignored(outcomes[0]?.reason ?? NO_EVENT)
    : { state: 'success', reason: null, message };
}

const DONE = ['raised', 'updated', 'acknowledged', 'resolved', 'waiting'] as const;
type Done = (typeof DONE)[number];

/** What a call would do, as a sentence in the language of the reader. */
export function wouldText(outcomes: readonly ArrivedOutcome[]): string {
  const parts = DONE.flatMap((action) => {
    const count = outcomes.filter((one) => one.action === action).length;
    return count === 0 ? [] : [wouldBeText(action, count)];
  });
  if (parts.length === 0) return storedText(outcomes[0]?.reason ?? NO_EVENT);
  const all = parts.reduce((before, next) => t('{before}, and {next}', { before, next }));
  return tIn('a text that becomes a sentence', '{text}.', { text: all });
}

function wouldBeText(action: Done, count: number): string {
  switch (action) {
    case 'raised':
      return t('{count, plural, one {# page would be} other {# pages would be}} raised', { count });
    case 'updated':
      return t('{count, plural, one {# page would be} other {# pages would be}} updated', { count });
    case 'acknowledged':
      return t('{count, plural, one {# page would be} other {# pages would be}} acknowledged', { count });
    case 'resolved':
      return t('{count, plural, one {# page would be} other {# pages would be}} resolved', { count });
    case 'waiting':
      return t('{count, plural, one {# page would be} other {# pages would be}} held back for now', {
        count,
      });
  }
}

function pagesText(outcomes: readonly ArrivedOutcome[]): string | null {
  const parts = DONE.flatMap((action) => {
    const count = outcomes.filter((one) => one.action === action).length;
    return count === 0 ? [] : [wereText(action, count)];
  });
  if (parts.length === 0) return null;
  return `${parts.reduce((before, next) => stored('{before}, and {next}', { before, next }))}.`;
}

function wereText(action: Done, count: number): string {
  switch (action) {
    case 'raised':
      return count === 1 ? stored('1 page was raised') : stored('{count} pages were raised', { count });
    case 'updated':
      return count === 1 ? stored('1 page was updated') : stored('{count} pages were updated', { count });
    case 'acknowledged':
      return count === 1
        ? stored('1 page was acknowledged')
        : stored('{count} pages were acknowledged', { count });
    case 'resolved':
      return count === 1 ? stored('1 page was resolved') : stored('{count} pages were resolved', { count });
    case 'waiting':
      return count === 1
        ? stored('1 page was held back for now')
        : stored('{count} pages were held back for now', { count });
  }
}
