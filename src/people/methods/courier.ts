import type { WrittenType } from '../../notifications/channels/contract.ts';
import type { MethodReader } from '../../notifications/channels/description-contract.ts';
import type { ChannelName, MethodType } from '../contract.ts';
import type { Means } from '../reachability.ts';

/** The recipient of a message: a contact method with everything that its channel needs. */
export type Destination = {
  userId: string;
  type: MethodType;
  value: string;
  chatUserId: string | null;
  pushKeys: { p256dh: string; auth: string } | null;
  /** Sealed. */
  signingSecret: Buffer | null;
};

/** A verification code or a test for one contact method. */
export type DirectMessage = {
  type: 'verification' | 'test';
  channel: ChannelName;
  methodId: string;
  subject: string;
  text: string;
  /** The digits of the verification code. */
  code: string | null;
  /** A path of the dashboard. */
  path: string | null;
};

/** Sends a message through its channel immediately. The notifications room implements it. */
export type Courier = {
  means: Means;
  /** Reads a contact method, or returns the problem, as the end of a sentence that begins with the field's name. */
  readMethod(type: WrittenType): MethodReader;
  /** Null when the provider accepted the message, otherwise its error for people. Ends within ten seconds and never throws. */
  send(destination: Destination, message: DirectMessage): Promise<string | null>;
};
