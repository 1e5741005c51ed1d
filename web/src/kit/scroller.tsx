import type { ReactNode } from 'react';

/** A card that scrolls sideways when its content is wider, and can be scrolled by keyboard. */
export function Scroller({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: content without focusable elements must be scrollable by keyboard
    <section className="card" style={SCROLLS} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** `relative` contains the texts for screen readers, which would otherwise widen the page. */
const SCROLLS = { overflowX: 'auto', position: 'relative' } as const;
