import { useSyncExternalStore } from 'react';
import { setConfirmer } from '../api/call.ts';
import { t } from '../language/t.ts';

/** Calls that wait for the same re-authentication share one dialog. */
type Asking = { promise: Promise<void>; yes: () => void; no: (error: Error) => void };

let asking: Asking | null = null;
const listeners = new Set<() => void>();

function set(next: Asking | null): void {
  asking = next;
  for (const listener of listeners) listener();
}

setConfirmer(() => {
  if (asking) return asking.promise;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  set({ promise, yes: resolve, no: reject });
  return promise;
});

/** The open re-authentication dialog, if there is one. */
export function useConfirmation() {
  const open = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asking,
  );
  return {
    open: open !== null,
    confirmed: () => {
      open?.yes();
      set(null);
    },
    cancel: () => {
      open?.no(new Error(t('Nothing was changed.')));
      set(null);
    },
  };
}
