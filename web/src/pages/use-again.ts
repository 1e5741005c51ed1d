import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { composeApi } from '../../../src/pages/compose-api-contract.ts';
import { send } from '../api/call.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';

/** Raises a page with the same content; it then represents the unanswered one as well. */
export function useAgain(pageId: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => send(composeApi.again, { params: { id: pageId } }),
    onSuccess: ({ page_id, paged_again_by: by }) => {
      showToast(
        by
          ? t('{who} has already paged again. This is the new page.', { who: by.name })
          : t('Paged again: the people on call now are notified.'),
      );
      if (by) void navigate({ to: '/pages/$id', params: { id: page_id } });
    },
    onError: showFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ['pages'] }),
  });
}
