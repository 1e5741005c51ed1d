import type { ReactNode } from 'react';

/** Line icons on a grid of 20; beside words, so that screen readers need not know of them. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const NowIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7" />
    <path d="M10 6v4l2.5 2" />
  </Icon>
);
export const PagesIcon = () => (
  <Icon>
    <path d="M10 3a5 5 0 0 0-5 5v3.5L3.5 14h13L15 11.5V8a5 5 0 0 0-5-5Z" />
    <path d="M8.5 16.5a1.6 1.6 0 0 0 3 0" />
  </Icon>
);
export const KeysIcon = () => (
  <Icon>
    <circle cx="7" cy="13" r="3.5" />
    <path d="m9.5 10.5 6-6M13 7l2 2" />
  </Icon>
);
export const PersonIcon = () => (
  <Icon>
    <circle cx="10" cy="7" r="3.2" />
    <path d="M4 17c.6-3.2 3-4.8 6-4.8s5.4 1.6 6 4.8" />
  </Icon>
);

export function Bell() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d="M10 2a6 6 0 0 0-6 6v4l-2 3h16l-2-3V8a6 6 0 0 0-6-6Z" fill="var(--accent)" />
      <circle cx="10" cy="17" r="2" fill="var(--accent)" />
    </svg>
  );
}
