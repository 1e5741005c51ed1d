import { useIsMutating } from '@tanstack/react-query';

/** The key of a mutation that ends what a view shows. */
export function endingOf(id: string): string[] {
  return ['ending', id];
}

/**
 * Whether something is just being ended. Its view does not read it again then: the news that it is gone come before the
 * answer, and whoever ended it would be told that there is no such thing.
 */
export function useIsEnding(id: string): boolean {
  return useIsMutating({ mutationKey: endingOf(id) }) > 0;
}
