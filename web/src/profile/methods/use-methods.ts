import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChannelName } from '../../../../src/notifications/channels/contract.ts';
import type {
  MethodChangeBody,
  MethodList,
  MethodShown,
  SentShown,
} from '../../../../src/people/contact-contract.ts';
import { methodsApi } from '../../../../src/people/contact-contract.ts';
import { send } from '../../api/call.ts';
import { showFailure, showToast } from '../../kit/toast.ts';
import { t } from '../../language/t.ts';
import { methodsQuery } from '../queries.ts';

/** Actions on the viewer's contact methods. They also refresh rules, reachability and channels, which depend on them. */
export function useMethods() {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all(
      ['contact-methods', 'notification-rules', 'people', 'channels'].map((key) =>
        client.invalidateQueries({ queryKey: [key] }),
      ),
    );
  /** Most changes answer with the whole list. */
  const keep = async (list: MethodList) => {
    client.setQueryData(methodsQuery.queryKey, list);
    await refresh();
  };
  return {
    refresh,
    keep,
    order: useMutation({
      mutationFn: (ids: readonly string[]) => send(methodsApi.reorder, { body: { ids: [...ids] } }),
      // Optimistic: the row must not jump back to its old place until the answer arrives.
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
      mutationFn: ({ id, ...body }: { id: string } & MethodChangeBody) =>
        send(methodsApi.change, { params: { id }, body }),
      onSuccess: keep,
      onError: showFailure,
    }),
    remove: useMutation({
      mutationFn: (id: string) => send(methodsApi.remove, { params: { id } }),
      onSuccess: async (list) => {
        showToast(t('It is removed.'));
        await keep(list);
      },
      onError: showFailure,
    }),
    renew: useMutation({
      mutationFn: (id: string) => send(methodsApi.renewSecret, { params: { id } }),
      onError: showFailure,
    }),
  };
}

function inOrder({ contact_methods: methods }: MethodList, ids: readonly string[]): MethodShown[] {
  return methods.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

export function sendCode(id: string, by?: ChannelName): Promise<SentShown> {
  return send(methodsApi.sendCode, { params: { id }, body: by ? { by } : {} });
}

export function sendTest(id: string, by?: ChannelName): Promise<SentShown> {
  return send(methodsApi.sendTest, { params: { id }, body: by ? { by } : {} });
}

export function verify(id: string, code: string): Promise<MethodList> {
  return send(methodsApi.verify, { params: { id }, body: { code } });
}
