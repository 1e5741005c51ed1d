import { useSyncExternalStore } from 'react';
import { type LifeboatNotice, readLifeboatNotice } from '../../../src/lifeboat/contract.ts';

let header = '';
let notice: LifeboatNotice | null = null;
const listeners = new Set<() => void>();

/** Notes what the last answer of the service said of the lifeboat of its node; null: nothing. */
export function noteLifeboat(given: string | null): void {
  if (header === (given ?? '')) return;
  header = given ?? '';
  notice = readLifeboatNotice(header);
  for (const listener of listeners) listener();
}

/** What a lifeboat does just now; null while none does anything. */
export function useLifeboat(): LifeboatNotice | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => notice,
  );
}
