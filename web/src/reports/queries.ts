import { queryOptions } from '@tanstack/react-query';
import { reportsApi } from '../../../src/reports/api-contract.ts';
import { reportRange, type Span } from '../../../src/reports/span-contract.ts';
import { send } from '../api/call.ts';
import { firstAnswer } from '../api/first-answers.ts';

const { fairness, responses, load, withheld } = reportsApi;

/** A report without the time of its answer: one that is read again and has not changed is not drawn again. */
export type Shown<Report> = Omit<Report, 'now'>;

const shown = <Report extends { now: string }>({ now: _, ...report }: Report): Shown<Report> => report;

type FirstData<Report> = { initialData: () => Report | undefined; initialDataUpdatedAt: number };

const reportQuery = <Report extends { now: string }>(
  name: string,
  span: Span,
  team: string | null,
  read: () => Promise<Report>,
  first: FirstData<Report>,
) =>
  queryOptions({
    queryKey: ['reports', name, span.from, span.to, team],
    queryFn: read,
    ...first,
    staleTime: 60_000,
    select: shown<Report>,
  });

export function fairnessQuery(span: Span, team: string | null) {
  const query = reportRange(span, team);
  return reportQuery(
    ...(['fairness', span, team] as const),
    () => send(fairness, { query }),
    firstAnswer(fairness, { query }),
  );
}

export function responsesQuery(span: Span, team: string | null) {
  const query = reportRange(span, team);
  return reportQuery(
    ...(['responses', span, team] as const),
    () => send(responses, { query }),
    firstAnswer(responses, { query }),
  );
}

export function loadQuery(span: Span, team: string | null) {
  const query = reportRange(span, team);
  return reportQuery(
    ...(['load', span, team] as const),
    () => send(load, { query }),
    firstAnswer(load, { query }),
  );
}

export function withheldQuery(span: Span, team: string | null) {
  const query = reportRange(span, team);
  return reportQuery(
    ...(['withheld', span, team] as const),
    () => send(withheld, { query }),
    firstAnswer(withheld, { query }),
  );
}
