import type { ChannelName, MethodType } from '../contract.ts';
import type { Means } from '../reachability.ts';

/** Where a message goes: a contact method with all that its channel needs. */
export type Destination = {
  userId: string;
  type: MethodType;
  value: string;
  chatUserId: string | null;
  pushKeys: { p256dh: string; auth: string } | null;
  /** Sealed. */
  signingSecret: Buffer | null;
};

export type Errand = {
  type: 'verification' | 'test';
  channel: ChannelName;
  methodId: string;
  subject: string;
  text: string;
  /** The digits of a verification. */
  code: string | null;
  /** A path of the dashboard. */
  path: string | null;
};

/** Sends at once, through the real channel, and tells how it ended. The rooms above have the channels. */
export type Courier = {
  means: Means;
  /** Null: the provider took it over; else what it said, for people. Ends within ten seconds and never throws. */
  send(destination: Destination, errand: Errand): Promise<string | null>;
};
