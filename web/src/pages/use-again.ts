import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ComposeAnswer } from '../../../src/pages/compose-api-contract.ts';
import { call } from '../api/call.ts';
import { tell, tellFailure } from '../kit/tell.ts';

/** Raises the same page once more; the new one stands for both from then on. */
export function useAgain(pageId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call<ComposeAnswer>('POST', `/api/pages/${encodeURIComponent(pageId)}/again`),
    onSuccess: () => tell('Paged again: the people on call now are notified.'),
    onError: tellFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ['pages'] }),
  });
}
