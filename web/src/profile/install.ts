import { sharedValue } from '../kit/shared-value.ts';

/** The browser's offer to install the dashboard as an app, which not every browser makes. */
type Offer = Event & { prompt(): Promise<unknown> };

const offer = sharedValue<Offer | null>(null);

/** Keeps the offer for the moment in which somebody wants it, instead of the browser's own banner. */
export function watchInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer.set(event as Offer);
  });
  window.addEventListener('appinstalled', () => offer.set(null));
}

/** Asks the browser to install the app; null where it does not offer it, or where it is installed. */
export function useInstall(): (() => void) | null {
  const current = offer.use();
  if (!current) return null;
  return () => {
    // An offer can be used once, whatever the person answers.
    offer.set(null);
    void current.prompt().catch(() => undefined);
  };
}
