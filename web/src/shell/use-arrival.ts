import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Moves the focus to a view that was opened with the keyboard, unless the view has set the focus itself. */
export function useArrival(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    const first = before.current === undefined;
    before.current = path;
    const main = document.getElementById('main');
    const within = main?.contains(document.activeElement) || document.querySelector('[aria-modal="true"]');
    if (!first && !within) main?.focus({ preventScroll: true });
  }, [path]);
}
