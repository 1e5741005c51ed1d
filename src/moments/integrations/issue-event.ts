import { type MomentEvent, momentEvent } from '../event.ts';
import type { AdapterInput, AdapterResult } from './adapter.ts';
import { filterIssue, type Issue } from './issue-filter.ts';

/** What a call says about an issue, without what the filter decides. */
export type IssueEvent = Omit<MomentEvent, 'type' | 'severity' | 'labels' | 'opens'>;

/**
 * The event of an issue, if the webhook's filter lets it through. Only what could begin a moment is filtered: an issue
 * that has lost its label must still be able to end what it began. One that matches for the first time in the call that
 * says that somebody has taken it begins a moment in that state.
 */
export function issueResult(
  event: IssueEvent,
  issue: Issue,
  { settings, receivedAt }: Pick<AdapterInput, 'settings' | 'receivedAt'>,
): AdapterResult {
  const filtered = filterIssue(issue, settings);
  if ('ignored' in filtered && (event.action === 'open' || event.action === 'unacknowledge')) return filtered;
  const opens = 'type' in filtered;
  const type = opens ? filtered.type : 'incident';
  const { priority: severity, labels } = issue;
  return { events: [momentEvent({ ...event, type, opens, severity, labels }, receivedAt)] };
}
