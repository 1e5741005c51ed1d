import { useEffect } from 'react';

/** Shows a number on the icon of the installed app; 0 removes it. Not every browser has badges. */
export function useBadge(count: number): void {
  useEffect(() => {
    const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>;
    if (!setAppBadge || !clearAppBadge) return;
    const shown = count === 0 ? clearAppBadge.call(navigator) : setAppBadge.call(navigator, count);
    void shown.catch(() => undefined);
  }, [count]);
}
