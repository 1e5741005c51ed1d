import { useMutation, useQueryClient } from '@tanstack/react-query';
import { pagesApi } from '../../../src/pages/api-contract.ts';
import { bringBack } from '../alarm/alarms.ts';
import { send } from '../api/call.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { showUndoFor } from '../kit/undo.tsx';

export type Reassign = { name: 'reassign'; users: string[] } | { name: 'reassign'; team: string };

export type Action =
  | Reassign
  | { name: 'acknowledge' | 'resolve' | 'escalate' | 'unacknowledge' | 'reopen' | 'undo' }
  | { name: 'responders'; users: string[] }
  | { name: 'comments'; text: string }
  | { name: 'extend'; minutes?: number }
  | { name: 'snooze'; minutes: number };

/** The service undoes answers for 30 seconds (`UNDO_SECONDS`); the button disappears a moment earlier. */
export const UNDO_MS = 29_000;

/** Acts on a page. @throws Refusal with the sentences of the service */
export function actOn(pageId: string, action: Action) {
  const params = { id: pageId };
  switch (action.name) {
    case 'responders':
      return send(pagesApi.responders, { params, body: { users: action.users } });
    case 'reassign':
      return send(pagesApi.reassign, {
        params,
        body: 'team' in action ? { team: action.team } : { users: action.users },
      });
    case 'comments':
      return send(pagesApi.comments, { params, body: { text: action.text } });
    case 'extend':
      return send(pagesApi.extend, { params, body: action.minutes ? { minutes: action.minutes } : {} });
    case 'snooze':
      return send(pagesApi.snooze, { params, body: { minutes: action.minutes } });
    default:
      return send(pagesApi[action.name], { params });
  }
}

/** Acts on a page, shows the result, and refreshes the pages. */
export function useAct(pageId: string) {
  const client = useQueryClient();
  const params = { id: pageId };
  const undo = async () => {
    const { message } = await send(pagesApi.undo, { params });
    bringBack(pageId);
    showToast(message);
    await client.invalidateQueries({ queryKey: ['pages'] });
  };
  return useMutation({
    mutationFn: (action: Action) => actOn(pageId, action),
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
