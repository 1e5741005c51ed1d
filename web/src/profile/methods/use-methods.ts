import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChannelName } from '../../../../src/notifications/channels/contract.ts';
import type { MethodList, MethodShown, SentShown } from '../../../../src/people/contact-contract.ts';
import { call } from '../../api/call.ts';
import { showFailure, showToast } from '../../kit/toast.ts';
import { methodsQuery } from '../queries.ts';

const path = (id: string, what = '') => `/api/contact-methods/${encodeURIComponent(id)}${what}`;

/** What the viewer does with their contact methods; rules and reachability follow from them. */
export function useMethods() {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all(
      ['contact-methods', 'notification-rules', 'people'].map((key) =>
        client.invalidateQueries({ queryKey: [key] }),
      ),
    );
  /** The answer to most changes is the whole list. */
  const keep = async (list: MethodList) => {
    client.setQueryData(methodsQuery.queryKey, list);
    await refresh();
  };
  return {
    refresh,
    keep,
    order: useMutation({
      mutationFn: (ids: readonly string[]) => call<MethodList>('PUT', '/api/contact-methods/order', { ids }),
      // Shown at once: a line that jumps back under the hand would be worse than one that is wrong for a moment.
      onMutate: async (ids) => {
        await client.cancelQueries({ queryKey: ['contact-methods'] });
        client.setQueryData(
          methodsQuery.queryKey,
          (list) => list && { ...list, contact_methods: inOrder(list, ids) },
        );
      },
      onSuccess: keep,
      onError: async (error) => {
        showFailure(error);
        await refresh();
      },
    }),
    change: useMutation({
      mutationFn: ({ id, notices }: { id: string; notices: boolean }) =>
        call<MethodList>('PATCH', path(id), { notices }),
      onSuccess: keep,
      onError: showFailure,
    }),
    remove: useMutation({
      mutationFn: (id: string) => call<MethodList>('DELETE', path(id)),
      onSuccess: async (list) => {
        showToast('It is removed.');
        await keep(list);
      },
      onError: showFailure,
    }),
    renew: useMutation({
      mutationFn: (id: string) => call<{ signing_secret: string }>('POST', path(id, '/secret')),
      onError: showFailure,
    }),
  };
}

function inOrder({ contact_methods: methods }: MethodList, ids: readonly string[]): MethodShown[] {
  return methods.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

export function sendCode(id: string, by?: ChannelName): Promise<SentShown> {
  return call<SentShown>('POST', path(id, '/code'), by ? { by } : {});
}

export function sendTest(id: string, by?: ChannelName): Promise<SentShown> {
  return call<SentShown>('POST', path(id, '/test'), by ? { by } : {});
}

export function verify(id: string, code: string): Promise<MethodList> {
  return call<MethodList>('POST', path(id, '/verify'), { code });
}
