import type { SourceShown } from '../../../src/sources/api-contract.ts';
import type { Problem } from '../api/queries.ts';
import type { Tone } from '../kit/pill.tsx';
import { t } from '../language/t.ts';

/** How a source is, in a word: expired, late, with problems, never called, or nothing when it works. */
export function sourceState(
  { id, expired, heartbeat, last_used_at }: SourceShown,
  problems: readonly Problem[],
): { tone: Tone; word: string } | null {
  if (expired) return { tone: 'watch', word: t('expired') };
  if (heartbeat?.state === 'late') return { tone: 'alarm', word: t('late') };
  const count = problemsOf(id, problems).length;
  if (count > 0)
    return { tone: 'watch', word: t('{count, plural, =1 {problem} other {# problems}}', { count }) };
  if (heartbeat?.state === 'waiting') return { tone: 'none', word: t('waiting for the first call') };
  return heartbeat === null && last_used_at === null ? { tone: 'none', word: t('never called') } : null;
}

/** Calls of heartbeats are noted apart from those of all other sources. */
export function lastCallOf({ heartbeat, last_used_at }: SourceShown): string | null {
  return heartbeat ? heartbeat.last_call_at : last_used_at;
}

export function problemsOf(id: string, problems: readonly Problem[]): Problem[] {
  return problems.filter(({ webhook, closed_at }) => webhook?.id === id && closed_at === null);
}
