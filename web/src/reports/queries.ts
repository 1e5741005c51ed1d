import { queryOptions } from '@tanstack/react-query';
import type { FairnessReport, LoadReport, ResponsesReport } from '../../../src/reports/api-contract.ts';
import { call } from '../api/call.ts';
import type { Span } from './period.ts';

type ReportName = 'fairness' | 'responses' | 'load';

/** The URL of a report. `team` null: the whole organization. */
export function reportPath(name: ReportName | `${ReportName}.csv`, span: Span, team: string | null): string {
  const range = `from=${new Date(span.from).toISOString()}&to=${new Date(span.to).toISOString()}`;
  return `/api/reports/${name}?${range}${team === null ? '' : `&team=${encodeURIComponent(team)}`}`;
}

const reportQuery = <Report>(name: ReportName, span: Span, team: string | null) =>
  queryOptions({
    queryKey: ['reports', name, span.from, span.to, team],
    queryFn: () => call<Report>('GET', reportPath(name, span, team)),
    staleTime: 60_000,
    placeholderData: (before) => before,
  });

export const fairnessQuery = (span: Span, team: string | null) =>
  reportQuery<FairnessReport>('fairness', span, team);
export const responsesQuery = (span: Span, team: string | null) =>
  reportQuery<ResponsesReport>('responses', span, team);
export const loadQuery = (span: Span, team: string | null) => reportQuery<LoadReport>('load', span, team);
