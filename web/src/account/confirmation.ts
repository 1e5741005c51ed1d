import { setConfirmer } from '../api/call.ts';
import { sharedValue } from '../kit/shared-value.ts';
import { t } from '../language/t.ts';

/** Calls that wait for the same re-authentication share one dialog. */
type Asking = { promise: Promise<void>; yes: () => void; no: (error: Error) => void };

const asking = sharedValue<Asking | null>(null);

setConfirmer(() => {
  const open = asking.get();
  if (open) return open.promise;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  asking.set({ promise, yes: resolve, no: reject });
  return promise;
});

/** The open re-authentication dialog, if there is one. */
export function useConfirmation() {
  const open = asking.use();
  return {
    open: open !== null,
    confirmed: () => {
      open?.yes();
      asking.set(null);
    },
    cancel: () => {
      open?.no(new Error(t('Nothing was changed.')));
      asking.set(null);
    },
  };
}
