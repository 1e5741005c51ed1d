import { privateLiteral } from '../../kit/private-addresses.ts';
import { FORMATS } from '../../kit/validation.ts';
import type { ChannelName, MethodType } from '../../people/contract.ts';

export type MethodFacts = {
  userId: string;
  type: MethodType;
  value: string;
  chatUserId: string | null;
  verified: boolean;
};

/** Channels that cannot be used, with the sentence that names the missing setting. */
export type Unavailable = ReadonlyMap<ChannelName, string>;

const CHANNELS_OF: Record<MethodType, readonly ChannelName[]> = {
  phone: ['sms', 'voice'],
  email: ['email'],
  chat: ['chat'],
  webhook: ['webhook'],
  push: ['push'],
};

/** Why nothing can be sent to a contact method; null when something can. */
export function obstacle(
  method: MethodFacts,
  unavailable: Unavailable,
  allowPrivate: boolean,
): string | null {
  const { type, value } = method;
  if (!method.verified) return `${type} ${value} is not verified`;
  const missing = CHANNELS_OF[type].map((channel) => unavailable.get(channel));
  if (missing.every((sentence) => sentence !== undefined)) return missing[0] ?? null;
  if (type === 'chat' && !method.chatUserId) return `chat ${value} has no chat_user_id`;
  if (type === 'webhook' && !allowPrivate && isPrivate(value))
    return `webhook ${value} is a private address, and ALLOW_PRIVATE_WEBHOOKS is not set`;
  return null;
}

function isPrivate(url: string): boolean {
  if (!FORMATS['http-url']?.(url)) return false;
  const parsed = new URL(url);
  return parsed.hostname === 'localhost' || privateLiteral(parsed) !== null;
}
