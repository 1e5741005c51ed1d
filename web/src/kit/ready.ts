import type { UseQueryResult } from '@tanstack/react-query';

/** Whether each part was read, or at least tried: shown one after the other, they would push each other about. */
export function areReady(...asked: readonly Pick<UseQueryResult, 'isPending' | 'failureCount'>[]): boolean {
  return asked.every(({ isPending, failureCount }) => !isPending || failureCount > 0);
}
