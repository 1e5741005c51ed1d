import { queryOptions } from '@tanstack/react-query';
import { recordsApi } from '../../../src/availability/api-contract.ts';
import { sourcesApi } from '../../../src/availability/sources-api-contract.ts';
import { send } from '../api/call.ts';

export type Span = { from: number; to: number };

const rangeOf = ({ from, to }: Span) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

/** The availability records of one person; null is the viewer. */
export const recordsQuery = (person: string | null, span: Span) =>
  queryOptions({
    queryKey: ['availabilities', 'person', person, span.from, span.to],
    queryFn: () =>
      send(recordsApi.list, { query: { ...rangeOf(span), ...(person === null ? {} : { person }) } }),
    // The records of somebody else must not be shown meanwhile.
    placeholderData: (before, query) => (query?.queryKey[2] === person ? before : undefined),
  });

export const teamRecordsQuery = (team: string, span: Span) =>
  queryOptions({
    queryKey: ['availabilities', 'team', team, span.from, span.to],
    queryFn: () => send(recordsApi.list, { query: { ...rangeOf(span), team } }),
    placeholderData: (before, query) => (query?.queryKey[2] === team ? before : undefined),
    enabled: team !== '',
  });

export const sourcesQuery = queryOptions({
  queryKey: ['availability-sources', 'own'],
  queryFn: () => send(sourcesApi.list),
  refetchInterval: 60_000,
});
