import { stored } from '../../language/contract.ts';
import type { MomentType } from '../contract.ts';
import { hasWord, type WebhookSettings } from '../settings-contract.ts';
import { scopedLevel, scopedWord } from './issue-labels.ts';

/** The properties of an issue, in the tracker's own words. */
export type Issue = { labels: readonly string[]; type: string | null; priority: string | null };

/** Integrations that call `filterIssue`, and so can have a filter. */
export const ISSUE_TRACKERS: readonly string[] = ['github', 'gitlab', 'jira', 'linear'];

const INCIDENT = /^(incident|outage|sev[-: ]?[1-5]|p[1-3])$/i;
const NEAR_MISS = /^near[-_ ]?miss$/i;

/**
 * Decides which issues become moments, and of which type. Every given list of the webhook's filter must match. Without
 * a filter, labels and types that name incidents or near misses match. The sentence describes what would have passed.
 */
export function filterIssue(
  { labels, type, priority }: Issue,
  { filter, near_miss }: Readonly<WebhookSettings>,
): { type: MomentType } | { ignored: string } {
  const words = type === null ? labels : [...labels, type];
  if (words.some((word) => says(NEAR_MISS, word) || hasWord(near_miss?.labels, word)))
    return { type: 'near-miss' };
  const lists = [
    [filter?.labels, labels],
    [filter?.types, [type]],
    [filter?.priorities, [priority]],
  ] as const;
  const given = lists.filter(([list]) => list !== undefined && list.length > 0);
  if (given.length > 0) {
    const passes = given.every(([list, found]) => found.some((word) => hasWord(list, word)));
    return passes ? { type: 'incident' } : { ignored: stored("It does not match this webhook's filter.") };
  }
  if (words.some((word) => says(INCIDENT, word))) return { type: 'incident' };
  return {
    ignored: stored(
      'Neither a label nor its type names an incident, an outage, sev1 to sev5, p1 to p3 or a near miss; set a filter on the webhook to let other issues through.',
    ),
  };
}

/** `incident` as well as `type::incident` and `[System] Incident`; `sev1` as well as `severity::1`. */
function says(pattern: RegExp, word: string): boolean {
  return [word.trim(), scopedWord(word).word, scopedLevel(word) ?? ''].some((one) => pattern.test(one));
}
