import type { ChannelName, MethodType } from '../../../src/people/contract.ts';

/** What people call the ways to be reached. */
export const TYPE_NAMES: Record<MethodType, string> = {
  phone: 'Phone',
  email: 'Email',
  chat: 'Slack',
  webhook: 'Webhook',
  push: 'Push',
};

export const CHANNEL_NAMES: Record<ChannelName, string> = {
  push: 'Push',
  sms: 'SMS',
  voice: 'Call',
  chat: 'Slack',
  email: 'Email',
  webhook: 'Webhook',
  browser: 'Open dashboard',
};

/** In the order in which they wake somebody. */
export const CHOSEN_CHANNELS = ['push', 'sms', 'voice', 'chat', 'email', 'webhook'] as const;

/** `at once`, `after 2 minutes`. */
export function afterWords(minutes: number): string {
  if (minutes === 0) return 'at once';
  if (minutes < 1) return `after ${Math.round(minutes * 60)} seconds`;
  const shown = Number(minutes.toFixed(1));
  return `after ${shown} ${shown === 1 ? 'minute' : 'minutes'}`;
}
