import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ActionAnswer } from '../../../src/pages/api-contract.ts';
import { call } from '../api/call.ts';
import { tell, tellFailure } from '../kit/tell.ts';

export type Action =
  | { name: 'acknowledge' | 'resolve' | 'escalate' | 'unacknowledge' | 'reopen' | 'undo' }
  | { name: 'responders' | 'reassign'; users: string[] }
  | { name: 'reassign'; team: string }
  | { name: 'comments'; text: string }
  | { name: 'extend'; minutes?: number }
  | { name: 'snooze'; minutes: number };

/** Acts on a page, says what came of it, and reads anew what is shown. */
export function useAct(pageId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, ...body }: Action) =>
      call<ActionAnswer>('POST', `/api/pages/${encodeURIComponent(pageId)}/${name}`, body),
    onSuccess: async ({ message }) => {
      tell(message);
      await client.invalidateQueries({ queryKey: ['pages'] });
    },
    onError: (error) => {
      tellFailure(error);
      void client.invalidateQueries({ queryKey: ['pages'] });
    },
  });
}
