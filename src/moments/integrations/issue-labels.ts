import type { Priority } from '../contract.ts';
import { isHigher, priorityOfSeverity } from './severity.ts';

const LONGEST = 100;
/** The most labels that are read; real issues have fewer. */
const MOST = 200;

/** Splits `priority::1`, `type: incident`, `kind/bug` or `[System] Incident` into scope and word. */
export function scopedWord(label: string): { scope: string | null; word: string } {
  const text = label.slice(0, LONGEST).trim();
  const system = /^\[system\]\s*(.+)$/i.exec(text);
  if (system?.[1]) return { scope: null, word: system[1] };
  const at = Math.max(text.lastIndexOf(':'), text.lastIndexOf('/'));
  const word = text.slice(at + 1).trim();
  if (at < 0 || word === '') return { scope: null, word: text };
  return { scope: text.slice(0, at).replace(/:+$/, '').trim().toLowerCase(), word };
}

const LEVEL = /^(?:sev|p)[-_: ]*[1-5]$/i;
const LEVEL_SCOPE = /^(?:sev|severity|priority|prio|p)$/;

/** The severity word in a label (`sev1`, `P2`, `high` of `priority: high`); null if it has none. */
function severityWord(label: string): string | null {
  const text = label.slice(0, LONGEST).trim();
  const { scope, word } = scopedWord(text);
  if (LEVEL.test(word)) return word;
  if (LEVEL.test(text)) return text;
  if (scope === null || !LEVEL_SCOPE.test(scope)) return null;
  return /^[1-5]$/.test(word) ? `sev${word}` : word;
}

/** `sev1` of `severity::1` and `sev: 1`, `p2` of `priority::2`; null for other scopes and words. */
export function scopedLevel(label: string): string | null {
  const { scope, word } = scopedWord(label);
  if (scope === null || !LEVEL_SCOPE.test(scope) || !/^[1-5]$/.test(word)) return null;
  return `${scope.startsWith('p') ? 'p' : 'sev'}${word}`;
}

/** The worst severity of the labels: its word and its priority. Null if no label has one. */
export function severityOfLabels(labels: readonly string[]): { word: string; priority: Priority } | null {
  let worst: { word: string; priority: Priority } | null = null;
  for (const label of labels.slice(0, MOST)) {
    const word = severityWord(label);
    const priority = priorityOfSeverity(word);
    if (word === null || priority === null) continue;
    if (!worst || isHigher(priority, worst.priority)) worst = { word, priority };
  }
  return worst;
}
