import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { AgainAnswer } from '../../../src/pages/compose-api-contract.ts';
import { call } from '../api/call.ts';
import { tell, tellFailure } from '../kit/tell.ts';

/** Raises the same page once more; the new one stands for both from then on. */
export function useAgain(pageId: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => call<AgainAnswer>('POST', `/api/pages/${encodeURIComponent(pageId)}/again`),
    onSuccess: ({ page_id, paged_again_by: by }) => {
      tell(
        by
          ? `${by.name} has paged again already: this is that page.`
          : 'Paged again: the people on call now are notified.',
      );
      if (by) void navigate({ to: '/pages/$id', params: { id: page_id } });
    },
    onError: tellFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ['pages'] }),
  });
}
