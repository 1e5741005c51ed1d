import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Whoever goes to another view by keyboard goes on there: the focus follows, unless the view has put it somewhere itself. */
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
