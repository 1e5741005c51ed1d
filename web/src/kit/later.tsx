import { type ReactNode, startTransition, useEffect, useState } from 'react';

/** A browser that is never idle, or that cannot tell. */
const AT_LATEST_MS = 1_000;
const WITHOUT_IDLE_MS = 50;

/** Children that nobody sees at first: they are rendered when the browser is idle after the view was drawn. */
export function Later({ children, before = null }: { children: ReactNode; before?: ReactNode }): ReactNode {
  return useLater() ? children : before;
}

/** False until the component has been drawn and the browser is idle. */
export function useLater(): boolean {
  const [later, setLater] = useState(false);
  useEffect(() => whenIdle(() => startTransition(() => setLater(true))), []);
  return later;
}

function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, WITHOUT_IDLE_MS);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(act, { timeout: AT_LATEST_MS });
  return () => cancelIdleCallback(idle);
}
