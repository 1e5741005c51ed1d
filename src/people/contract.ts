/** Words of this room that programs and people hold on to. The only file of it that the dashboard may import. */

export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

export const URGENCIES = ['low', 'medium', 'high'] as const;
export type Urgency = (typeof URGENCIES)[number];

/** What a person can be reached by. `push` subscriptions are made by a browser, never typed in. */
export const METHOD_TYPES = ['phone', 'email', 'chat', 'webhook', 'push'] as const;
export type MethodType = (typeof METHOD_TYPES)[number];

/** The ways a notification can go out. `browser` is the open dashboard and needs no contact method. */
export const CHANNELS = ['push', 'sms', 'voice', 'chat', 'email', 'webhook', 'browser'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** One rule of a person: these channels, this long after the person was asked. */
export type Rule = {
  urgency: Urgency;
  /** Order among the rules of one urgency, from 0. */
  position: number;
  afterMs: number;
  channels: ChannelName[];
};

/** A contact method as far as the rules care. */
export type Method = {
  id: string;
  type: MethodType;
  value: string;
  verified: boolean;
  /** The person's own order. */
  position: number;
};

/** Somebody, as others see them. */
export type Person = { id: string; name: string; email: string };
