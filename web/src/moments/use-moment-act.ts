import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { MomentAnswer } from '../../../src/moments/api-contract.ts';
import { call } from '../api/call.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { showUndo } from '../kit/undo.tsx';

export type MomentAction =
  | { name: 'acknowledge' | 'resolve' | 'reopen' }
  | { name: 'comments'; text: string }
  | { name: 'pages'; page: string }
  | { name: 'unlink'; page: string };

/** The inverse of each action, for undo. */
const BACK: Partial<Record<MomentAction['name'], 'resolve' | 'reopen'>> = {
  resolve: 'reopen',
  reopen: 'resolve',
};

/** Acts on a moment, shows the result with an undo button, and refreshes what is shown. */
export function useMomentAct(momentId: string) {
  const client = useQueryClient();
  const path = `/api/moments/${encodeURIComponent(momentId)}`;
  const refresh = () => client.invalidateQueries({ queryKey: ['moments'] });
  return useMutation({
    mutationFn: ({ name, ...body }: MomentAction) =>
      name === 'unlink' && 'page' in body
        ? call<MomentAnswer>('DELETE', `${path}/pages/${encodeURIComponent(body.page)}`)
        : call<MomentAnswer>('POST', `${path}/${name}`, body),
    onSuccess: ({ changed, message }, { name }) => {
      const back = changed && BACK[name];
      if (!back) return showToast(message);
      showUndo(message, async () => {
        await call<MomentAnswer>('POST', `${path}/${back}`);
        await refresh();
      });
    },
    onError: showFailure,
    onSettled: refresh,
  });
}
