import { type MomentEvent, momentEvent } from '../event.ts';
import type { AdapterInput, AdapterResult } from './adapter.ts';
import { filterIssue, type Issue } from './issue-filter.ts';

/** The report of a call about an issue, before it is filtered. */
export type IssueEvent = Omit<MomentEvent, 'type' | 'severity' | 'labels' | 'opens'>;

/**
 * The event of an issue, if it passes the webhook's filter. Only events that could open a moment are filtered, because
 * an issue that has lost its label must still be able to resolve its moment. An issue that first matches in the call
 * that assigns it opens an acknowledged moment. `edit`: the call says that nothing changed that a filter or a rule matches.
 */
export function issueResult(
  { edit = false, ...event }: IssueEvent,
  issue: Issue,
  { settings, receivedAt }: Pick<AdapterInput, 'settings' | 'receivedAt'>,
): AdapterResult {
  const filtered = filterIssue(issue, settings);
  if ('ignored' in filtered && (event.action === 'open' || event.action === 'unacknowledge')) return filtered;
  const opens = 'type' in filtered;
  const type = opens ? filtered.type : 'incident';
  const { priority: severity, labels } = issue;
  const isEdit = edit && event.action === 'open';
  return {
    events: [
      momentEvent({ ...event, type, opens, severity, labels, ...(isEdit ? { edit } : {}) }, receivedAt),
    ],
  };
}
