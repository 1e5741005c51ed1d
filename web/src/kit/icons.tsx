import type { ReactNode } from 'react';

/** Line icons on a 20 px grid. They are hidden from screen readers, because a label is always beside them. */
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
export const InboxIcon = () => (
  <Icon>
    <path d="M3 11.5 5.2 4.500h9.6L17 11.500V15.500H3ZM3 11.500h4l1 2h4l1-2h4" />
  </Icon>
);
export const LockIcon = () => (
  <Icon>
    <rect x="4.5" y="9" width="11" height="7.5" rx="1.5" />
    <path d="M7 9V6.5a3 3 0 0 1 6 0V9" />
  </Icon>
);
export const PersonIcon = () => (
  <Icon>
    <circle cx="10" cy="7" r="3.2" />
    <path d="M4 17c.6-3.2 3-4.8 6-4.8s5.4 1.6 6 4.8" />
  </Icon>
);

export const MomentsIcon = () => (
  <Icon>
    <path d="M3 11h3l2-6 4 10 2-4h3" />
  </Icon>
);
export const SchedulesIcon = () => (
  <Icon>
    <rect x="3" y="4.5" width="14" height="12.5" rx="2" />
    <path d="M3 8.5h14M7 2.5v3M13 2.5v3" />
  </Icon>
);
export const AvailabilityIcon = () => (
  <Icon>
    <path d="M16.5 12A7 7 0 0 1 8 3.5 7 7 0 1 0 16.5 12Z" />
  </Icon>
);
export const TeamsIcon = () => (
  <Icon>
    <circle cx="7.5" cy="7" r="2.8" />
    <path d="M2.5 16c.5-2.8 2.4-4.2 5-4.2s4.5 1.4 5 4.2M13 4.5a2.6 2.6 0 0 1 0 5M14.5 12c1.7.5 2.700 1.800 3 4" />
  </Icon>
);
export const ReportsIcon = () => (
  <Icon>
    <path d="M3 17h14M5.5 14V9M10 14V4M14.5 14v-3" />
  </Icon>
);
export const PayIcon = () => (
  <Icon>
    <rect x="2.5" y="5" width="15" height="10" rx="1.6" />
    <circle cx="10" cy="10" r="2.2" />
  </Icon>
);
export const SettingsIcon = () => (
  <Icon>
    <path d="M3 6h8M15 6h2M3 14h2M9 14h8" />
    <circle cx="13" cy="6" r="2" />
    <circle cx="7" cy="14" r="2" />
  </Icon>
);
export const RequestsIcon = () => (
  <Icon>
    <path d="M4 6h9l-3-3M16 14H7l3 3" />
  </Icon>
);
export const SearchIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="5.5" />
    <path d="m13 13 4 4" />
  </Icon>
);
export const ProblemsIcon = () => (
  <Icon>
    <path d="M10 3.5 2.8 16h14.4L10 3.5Z" />
    <path d="M10 8.5v3.2M10 13.8v.1" />
  </Icon>
);
export const DotsIcon = () => (
  <Icon>
    <path d="M4.500 10h.01M10 10h.01M15.500 10h.01" strokeWidth="2.600" />
  </Icon>
);
export const GripIcon = () => (
  <Icon>
    <path
      d="M7.500 5h.01M7.500 10h.01M7.500 15h.01M12.500 5h.01M12.500 10h.01M12.500 15h.01"
      strokeWidth="2.200"
    />
  </Icon>
);
export const KeyboardIcon = () => (
  <Icon>
    <path d="M3 5.500h14v9H3zM6 8.500h.01M9 8.500h.01M12 8.500h.01M14.500 8.500h.01M7 11.700h6" />
  </Icon>
);
export const MoreIcon = () => (
  <Icon>
    <path d="M4 6h12M4 10h12M4 14h12" />
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
