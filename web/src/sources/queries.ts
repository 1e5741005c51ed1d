import { queryOptions, skipToken } from '@tanstack/react-query';
import { sourcesApi } from '../../../src/sources/api-contract.ts';
import { send } from '../api/call.ts';
import { firstAnswer } from '../api/first-answers.ts';

/** The page sources of one team, by its slug, or of all teams. */
export const sourcesQuery = (team: string | null) =>
  queryOptions({
    queryKey: ['sources', 'list', team],
    queryFn: () => send(sourcesApi.list, { query: { team: team ?? undefined } }),
    ...firstAnswer(sourcesApi.list, { query: { team: team ?? undefined } }),
  });

/** The last call and the state of a heartbeat change without an event. */
const REFETCH_MS = 30_000;

export const sourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['sources', 'one', id],
    queryFn: () => send(sourcesApi.show, { params: { id } }),
    refetchInterval: REFETCH_MS,
  });

export const sourceTypesQuery = queryOptions({
  queryKey: ['source-types'],
  queryFn: () => send(sourcesApi.types),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The key of a source that was just made or rotated. It is only in the memory of this browser, until the page is reloaded. */
export const madeKeyQuery = (id: string) =>
  queryOptions<string>({ queryKey: ['made-key', id], queryFn: skipToken });
