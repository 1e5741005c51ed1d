import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { MomentAnswer } from '../../../src/moments/api-contract.ts';
import { call } from '../api/call.ts';
import { tell, tellFailure } from '../kit/tell.ts';

export type MomentAction =
  | { name: 'acknowledge' | 'resolve' }
  | { name: 'comments'; text: string }
  | { name: 'pages'; page: string }
  | { name: 'unlink'; page: string };

/** Acts on a moment, says what came of it, and reads anew what is shown. */
export function useMomentAct(momentId: string) {
  const client = useQueryClient();
  const path = `/api/moments/${encodeURIComponent(momentId)}`;
  return useMutation({
    mutationFn: ({ name, ...body }: MomentAction) =>
      name === 'unlink' && 'page' in body
        ? call<MomentAnswer>('DELETE', `${path}/pages/${encodeURIComponent(body.page)}`)
        : call<MomentAnswer>('POST', `${path}/${name}`, body),
    onSuccess: ({ message }) => tell(message),
    onError: tellFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ['moments'] }),
  });
}
