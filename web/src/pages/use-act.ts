import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ActionAnswer } from '../../../src/pages/api-contract.ts';
import { bringBack } from '../alarm/alarms.ts';
import { call } from '../api/call.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { showUndoFor } from '../kit/undo.tsx';

export type Action =
  | { name: 'acknowledge' | 'resolve' | 'escalate' | 'unacknowledge' | 'reopen' | 'undo' }
  | { name: 'responders' | 'reassign'; users: string[] }
  | { name: 'reassign'; team: string }
  | { name: 'comments'; text: string }
  | { name: 'extend'; minutes?: number }
  | { name: 'snooze'; minutes: number };

/** The service undoes answers for 30 seconds (`UNDO_SECONDS`); the button disappears a moment earlier. */
const UNDO_MS = 29_000;

/** Acts on a page, shows the result, and refreshes the pages. */
export function useAct(pageId: string) {
  const client = useQueryClient();
  const path = `/api/pages/${encodeURIComponent(pageId)}`;
  const undo = async () => {
    const { message } = await call<ActionAnswer>('POST', `${path}/undo`);
    bringBack(pageId);
    showToast(message);
    await client.invalidateQueries({ queryKey: ['pages'] });
  };
  return useMutation({
    mutationFn: ({ name, ...body }: Action) => call<ActionAnswer>('POST', `${path}/${name}`, body),
    onSuccess: async ({ message, changed }, { name }) => {
      if (changed && (name === 'acknowledge' || name === 'resolve')) showUndoFor(UNDO_MS, message, undo);
      else showToast(message);
      await client.invalidateQueries({ queryKey: ['pages'] });
    },
    onError: (error) => {
      showFailure(error);
      void client.invalidateQueries({ queryKey: ['pages'] });
    },
  });
}
