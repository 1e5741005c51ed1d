import type { LinkProps } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import {
  AvailabilityIcon,
  InboxIcon,
  KeysIcon,
  LockIcon,
  MomentsIcon,
  NowIcon,
  PagesIcon,
  PayIcon,
  PersonIcon,
  ProblemsIcon,
  ReportsIcon,
  RequestsIcon,
  SchedulesIcon,
  SettingsIcon,
  TeamsIcon,
} from '../kit/icons.tsx';
import { t } from '../language/t.ts';

/** A view that the navigation leads to. */
export type Place = {
  to: NonNullable<LinkProps['to']>;
  label: string;
  /** The key that opens it together with Alt. */
  key: string;
  Icon: ComponentType;
  /** On a phone it is in the bar at the bottom, which holds at most four; the others are behind "More". */
  bar?: true;
};

/** Views of the organization, in the order in which they are needed during a page. */
export const PLACES: readonly Place[] = [
  { to: '/', label: t('Now'), key: 'n', Icon: NowIcon, bar: true },
  { to: '/pages', label: t('Pages'), key: 'p', Icon: PagesIcon, bar: true },
  { to: '/moments', label: t('Moments'), key: 'm', Icon: MomentsIcon },
  { to: '/schedules', label: t('Schedules'), key: 's', Icon: SchedulesIcon, bar: true },
  { to: '/availability', label: t('Availability'), key: 'a', Icon: AvailabilityIcon },
  { to: '/teams', label: t('Teams'), key: 't', Icon: TeamsIcon },
  { to: '/people', label: t('People'), key: 'e', Icon: PersonIcon },
  { to: '/problems', label: t('Problems'), key: 'b', Icon: ProblemsIcon },
  { to: '/reports', label: t('Reports'), key: 'r', Icon: ReportsIcon },
  { to: '/pay', label: t('Pay'), key: 'l', Icon: PayIcon },
  { to: '/requests', label: t('Requests'), key: 'q', Icon: RequestsIcon },
  { to: '/settings', label: t('Settings'), key: 'o', Icon: SettingsIcon },
];

/** Views of the viewer, listed in the user menu. */
export const OWN_PLACES: readonly Place[] = [
  { to: '/inbox', label: t('Inbox'), key: 'i', Icon: InboxIcon },
  { to: '/profile', label: t('Profile'), key: 'y', Icon: PersonIcon },
  { to: '/account', label: t('Account'), key: 'u', Icon: LockIcon },
  { to: '/keys', label: t('API keys'), key: 'k', Icon: KeysIcon },
];
