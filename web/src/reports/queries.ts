import { queryOptions } from '@tanstack/react-query';
import { reportsApi } from '../../../src/reports/api-contract.ts';
import { send } from '../api/call.ts';
import type { Span } from './period.ts';

/** What a report covers. `team` null: the whole organization. */
export function reportRange(span: Span, team: string | null) {
  return {
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
    ...(team === null ? {} : { team }),
  };
}

const { fairness, responses, load, withheld } = reportsApi;

const reportQuery = <Report>(name: string, span: Span, team: string | null, read: () => Promise<Report>) =>
  queryOptions({
    queryKey: ['reports', name, span.from, span.to, team],
    queryFn: read,
    staleTime: 60_000,
    placeholderData: (before) => before,
  });

export const fairnessQuery = (span: Span, team: string | null) =>
  reportQuery('fairness', span, team, () => send(fairness, { query: reportRange(span, team) }));
export const responsesQuery = (span: Span, team: string | null) =>
  reportQuery('responses', span, team, () => send(responses, { query: reportRange(span, team) }));
export const loadQuery = (span: Span, team: string | null) =>
  reportQuery('load', span, team, () => send(load, { query: reportRange(span, team) }));
export const withheldQuery = (span: Span, team: string | null) =>
  reportQuery('withheld', span, team, () => send(withheld, { query: reportRange(span, team) }));
