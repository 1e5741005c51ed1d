import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { showFailure, showToast } from '../kit/toast.ts';

type Done = { message: string; warnings?: string[] };

/** Acts on a shift or cover, shows the result, and refreshes what is shown. */
export function useShiftAct() {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all(
      ['schedules', 'covers', 'on-call', 'availabilities'].map((room) =>
        client.invalidateQueries({ queryKey: [room] }),
      ),
    );
  return useMutation({
    mutationFn: ({
      method = 'POST',
      path,
      body,
    }: {
      method?: 'POST' | 'DELETE';
      path: string;
      body?: unknown;
    }) => call<Done>(method, path, body),
    onSuccess: async ({ message, warnings = [] }) => {
      showToast([message, ...warnings].join(' '));
      await refresh();
    },
    onError: (error) => {
      showFailure(error);
      void refresh();
    },
  });
}
