import { useEffect } from 'react';

const OVER = '[role="dialog"], [role="alertdialog"]';
/** Elements to remember: dialogs can be opened from menus and from other dialogs. */
const MOST_STEPS = 10;

/**
 * Returns the focus to where it was when a dialog closes. Dialogs are removed as a whole, so the focus would be lost
 * with them.
 */
export function useFocusBack(): void {
  useEffect(() => {
    let steps: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) steps = [...steps.slice(1 - MOST_STEPS), target];
    };
    const observer = new MutationObserver((mutations) => {
      if (document.activeElement !== document.body || !mutations.some(tookDialogAway)) return;
      const below = [...document.querySelectorAll(OVER)].at(-1) ?? document.body;
      steps = steps.filter((step) => step.isConnected);
      steps
        .findLast((step) => below.contains(step) && step.checkVisibility())
        ?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}

function tookDialogAway({ removedNodes }: MutationRecord): boolean {
  return [...removedNodes].some(
    (node) => node instanceof Element && (node.matches(OVER) || node.querySelector(OVER)),
  );
}
