import type { ReactNode } from 'react';

export type Tone = 'alarm' | 'watch' | 'calm' | 'info' | 'none';

/** A state as a colour, always with a word. */
export function Pill({ tone, dot = false, children }: { tone: Tone; dot?: boolean; children: ReactNode }) {
  return (
    <span className={`pill tone-${tone}`}>
      {dot && <span className="dot" />}
      {children}
    </span>
  );
}
