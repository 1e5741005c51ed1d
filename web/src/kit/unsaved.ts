import { useLayoutEffect, useSyncExternalStore } from 'react';
import { lastSignOut } from '../sign-in/last-sign-out.ts';

/** The forms with unsaved input that are shown, each with the last sign-out in this browser before it was entered. */
const unsaved = new Map<symbol, string | null>();
const listeners = new Set<() => void>();

/** Says that a form holds something that was entered and not saved, for as long as it is shown. */
export function useUnsaved(is: boolean): void {
  useLayoutEffect(() => {
    if (!is) return;
    const form = Symbol();
    unsaved.set(form, lastSignOut());
    changed();
    return () => {
      unsaved.delete(form);
      changed();
    };
  }, [is]);
}

/** Whether a form holds unsaved input of the person who is signed in. A sign-out in this browser, in any tab, gives it up. */
export function isAnythingUnsaved(): boolean {
  const last = lastSignOut();
  return [...unsaved.values()].some((before) => before === last);
}

export function useAnythingUnsaved(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    // A sign-out in another tab.
    window.addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', listener);
    };
  }, isAnythingUnsaved);
}

function changed(): void {
  for (const listener of listeners) listener();
}
