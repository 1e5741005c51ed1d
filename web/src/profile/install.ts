import { useSyncExternalStore } from 'react';

/** The browser's offer to install the dashboard as an app, which not every browser makes. */
type Offer = Event & { prompt(): Promise<unknown> };

let offer: Offer | null = null;
const listeners = new Set<() => void>();

function set(next: Offer | null): void {
  offer = next;
  for (const listener of listeners) listener();
}

/** Keeps the offer for the moment in which somebody wants it, instead of the browser's own banner. */
export function watchInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    set(event as Offer);
  });
  window.addEventListener('appinstalled', () => set(null));
}

/** Asks the browser to install the app; null where it does not offer it, or where it is installed. */
export function useInstall(): (() => void) | null {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offer,
  );
  if (!current) return null;
  return () => {
    // An offer can be used once, whatever the person answers.
    set(null);
    void current.prompt().catch(() => undefined);
  };
}
