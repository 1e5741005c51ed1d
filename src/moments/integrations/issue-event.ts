import { type MomentEvent, momentEvent } from '../event.ts';
import type { AdapterInput, AdapterResult } from './adapter.ts';
import { filterIssue, type Issue } from './issue-filter.ts';

/** What a call says about an issue, without what the filter decides. */
export type IssueEvent = Omit<MomentEvent, 'type' | 'severity' | 'labels'>;

/**
 * The event of an issue, if the webhook's filter lets it through. Only what could begin a moment is filtered: an issue
 * that has lost its label must still be able to end what it began.
 */
export function issueResult(
  event: IssueEvent,
  issue: Issue,
  { settings, receivedAt }: Pick<AdapterInput, 'settings' | 'receivedAt'>,
): AdapterResult {
  const filtered = filterIssue(issue, settings);
  if ('ignored' in filtered && (event.action === 'open' || event.action === 'unacknowledge')) return filtered;
  const type = 'type' in filtered ? filtered.type : 'incident';
  return {
    events: [momentEvent({ ...event, type, severity: issue.priority, labels: issue.labels }, receivedAt)],
  };
}
