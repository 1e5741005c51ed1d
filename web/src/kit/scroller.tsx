import type { ReactNode } from 'react';

/** A card that scrolls sideways when what is in it is wider, by keyboard as well. */
export function Scroller({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what has nothing to focus must be scrolled by keyboard, too
    <section className="card" style={SCROLLS} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** Words for screen readers alone must not make the page wider. */
const SCROLLS = { overflowX: 'auto', position: 'relative' } as const;
