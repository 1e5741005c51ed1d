import { useMutation, useQueryClient } from '@tanstack/react-query';
import { inClock } from '../kit/time.ts';
import { showFailure, showToast } from '../kit/toast.ts';

type Done = { message: string; warnings?: string[] };

/** `step` names the action, so that its button can show that it is under way. */
type Act = { step?: string; run: () => Promise<Done> };

/** Acts on a shift or cover, shows the result, and refreshes what is shown. `inForm`: a form shows the refusal itself. */
export function useShiftAct({ inForm = false } = {}) {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all(
      ['schedules', 'covers', 'on-call', 'availabilities'].map((room) =>
        client.invalidateQueries({ queryKey: [room] }),
      ),
    );
  return useMutation({
    mutationFn: ({ run }: Act) => run(),
    onSuccess: async ({ message, warnings = [] }) => {
      showToast(inClock([message, ...warnings].join(' ')));
      await refresh();
    },
    onError: (error) => {
      if (!inForm) showFailure(error);
      void refresh();
    },
  });
}
