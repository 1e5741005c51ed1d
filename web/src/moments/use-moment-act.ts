import { useMutation, useQueryClient } from '@tanstack/react-query';
import { momentsApi } from '../../../src/moments/api-contract.ts';
import { send } from '../api/call.ts';
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
  const params = { id: momentId };
  const refresh = () => client.invalidateQueries({ queryKey: ['moments'] });
  return useMutation({
    mutationFn: (action: MomentAction) => {
      if (action.name === 'unlink')
        return send(momentsApi.unlinkPage, { params: { ...params, page: action.page } });
      if (action.name === 'pages') return send(momentsApi.linkPage, { params, body: { page: action.page } });
      if (action.name === 'comments')
        return send(momentsApi.comment, { params, body: { text: action.text } });
      return send(momentsApi[action.name], { params });
    },
    onSuccess: ({ changed, message }, { name }) => {
      const back = changed && BACK[name];
      if (!back) return showToast(message);
      showUndo(message, async () => {
        await send(momentsApi[back], { params });
        await refresh();
      });
    },
    onError: showFailure,
    onSettled: refresh,
  });
}
