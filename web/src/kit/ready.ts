import type { UseQueryResult } from '@tanstack/react-query';

/** Whether every query has succeeded or failed at least once, so that the parts of a view appear together. */
export function areReady(...queries: readonly Pick<UseQueryResult, 'isPending' | 'failureCount'>[]): boolean {
  return queries.every(({ isPending, failureCount }) => !isPending || failureCount > 0);
}
