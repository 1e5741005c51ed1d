import { useIsMutating } from '@tanstack/react-query';

/** The key of a mutation that removes what a view shows. */
export function endingOf(id: string): string[] {
  return ['ending', id];
}

/**
 * Whether something is being deleted. Its view must not refresh meanwhile: the event may arrive before the answer, and
 * the view would show “not found”.
 */
export function useIsEnding(id: string): boolean {
  return useIsMutating({ mutationKey: endingOf(id) }) > 0;
}
