import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Drawn this long after the rest at the latest, however busy the browser is. */
const LATEST_MS = 1_000;

/**
 * Draws what is costly after everything else, when the browser has nothing else to do; each in a task of its own, so that a
 * key is answered between them. Until then its place is kept, so that nothing jumps. `height` in CSS pixels.
 */
export function WhenIdle({ height, children }: { height: number; children: ReactNode }) {
  const [drawn, setDrawn] = useState(false);
  useEffect(() => whenIdle(() => flushSync(() => setDrawn(true))), []);
  return <div style={{ minHeight: height }}>{drawn && children}</div>;
}

/** Not every browser says when it is idle; there it is soon. Gives what calls it off. */
function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 50);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: LATEST_MS });
  return () => cancelIdleCallback(handle);
}
