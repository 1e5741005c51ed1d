import type { Priority } from '../contract.ts';

/** Senders' words for severities, by our priority. */
const WORDS: Record<Priority, readonly string[]> = {
  high: ['critical', 'page', 'emergency', 'fatal', 'p1', 'sev1', 'error', 'high', 'major', 'p2', 'sev2'],
  medium: ['warning', 'warn', 'medium', 'minor', 'p3', 'sev3'],
  low: ['low', 'p4', 'sev4', 'notice', 'info', 'informational', 'none', 'debug', 'p5', 'sev5'],
};

const PRIORITY_OF = new Map(
  Object.entries(WORDS).flatMap(([priority, words]) => words.map((word) => [word, priority as Priority])),
);

/** The priority of a severity word, for example `SEV-1` in any spelling; null for an unknown word. */
export function priorityOfSeverity(word: string | null): Priority | null {
  const known = word?.slice(0, 40).trim().toLowerCase();
  return (known && PRIORITY_OF.get(known.replace(/^(p|sev)(?:erity)?[-_: ]*(?=[1-5]$)/, '$1'))) || null;
}

const RANK: Record<Priority, number> = { low: 0, medium: 1, high: 2 };

export function isHigher(a: Priority, b: Priority): boolean {
  return RANK[a] > RANK[b];
}

export function higher(a: Priority | null, b: Priority | null): Priority | null {
  if (!a || !b) return a ?? b;
  return isHigher(b, a) ? b : a;
}
