import { useMutation, useQueryClient } from '@tanstack/react-query';
import { peopleApi } from '../../../src/people/person-contract.ts';
import { send } from '../api/call.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';

/** Enables a disabled person again. */
export function useEnabling({ id, name }: { id: string; name: string }) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send(peopleApi.enable, { params: { id } }),
    onSuccess: () =>
      showToast(t('{name} may sign in again. Put them back into their teams and schedules.', { name })),
    onError: showFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ['people'] }),
  });
}
