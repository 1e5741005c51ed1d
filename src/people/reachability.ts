import { privateLiteral } from '../kit/private-addresses.ts';
import { FORMATS } from '../kit/validation.ts';
import type { ChannelName, MethodType } from './contract.ts';

/** A contact method, as far as it matters for whether something can be sent to it. */
export type MethodFacts = {
  userId: string;
  type: MethodType;
  value: string;
  chatUserId: string | null;
  verified: boolean;
};

/** Channels that cannot be used, with the sentence that names the missing setting. */
export type Unavailable = ReadonlyMap<ChannelName, string>;

/** What the service can send over at all. */
export type Means = {
  unavailable: Unavailable;
  /** Whether webhooks may go to private and loopback addresses. */
  allowPrivate: boolean;
};

export const CHANNELS_OF: Record<MethodType, readonly ChannelName[]> = {
  phone: ['sms', 'voice'],
  email: ['email'],
  chat: ['chat'],
  webhook: ['webhook'],
  push: ['push'],
};

type Obstacle = 'unverified' | 'not_set_up' | 'no_chat_user' | 'private_address';

function obstacleOf(method: MethodFacts, { unavailable, allowPrivate }: Means): Obstacle | null {
  const { type } = method;
  if (!method.verified) return 'unverified';
  if (CHANNELS_OF[type].every((channel) => unavailable.has(channel))) return 'not_set_up';
  if (type === 'chat' && !method.chatUserId) return 'no_chat_user';
  if (type === 'webhook' && !allowPrivate && isPrivate(method.value)) return 'private_address';
  return null;
}

/** Why nothing can be sent to a contact method; null when something can. */
export function obstacle(method: MethodFacts, means: Means): string | null {
  const { type } = method;
  const shown = type === 'push' ? 'push to a browser' : `${type} ${method.value}`;
  switch (obstacleOf(method, means)) {
    case 'unverified':
      return `${shown} is not verified`;
    case 'not_set_up':
      return CHANNELS_OF[type].map((channel) => means.unavailable.get(channel)).find(Boolean) ?? null;
    case 'no_chat_user':
      return `${shown} has no chat_user_id`;
    case 'private_address':
      return `${shown} is a private address, and ALLOW_PRIVATE_WEBHOOKS is not set`;
    case null:
      return null;
  }
}

const IN_SHORT: Record<Obstacle, string> = {
  unverified: 'not verified',
  not_set_up: 'not set up here',
  no_chat_user: 'without a chat_user_id',
  private_address: 'at a private address',
};

/** The same for a list of many people, who share most of it: `phone not verified; email, push not set up here`. */
export function obstaclesInShort(methods: readonly MethodFacts[], means: Means): string {
  const found = methods.flatMap((method) => {
    const why = obstacleOf(method, means);
    return why ? [{ why, type: method.type }] : [];
  });
  if (found.length === 0) return obstacleSentence([]);
  return [...Map.groupBy(found, ({ why }) => why)]
    .map(([why, those]) => `${[...new Set(those.map(({ type }) => type))].join(', ')} ${IN_SHORT[why]}`)
    .join('; ');
}

/** Whether somebody can be reached while no dashboard of theirs is open; if not, all that stands in the way. */
export type Reachability = { reachable: true } | { reachable: false; obstacles: string[] };

/**
 * The one answer to "can this person be reached?", for the doctor, for People and for what is announced ahead. `methods`
 * are those of one person; without any the obstacles are none.
 */
export function reachability(methods: readonly MethodFacts[], means: Means): Reachability {
  const obstacles = methods.map((method) => obstacle(method, means));
  if (obstacles.some((one) => one === null)) return { reachable: true };
  return { reachable: false, obstacles: [...new Set(obstacles.filter((one) => one !== null))] };
}

/** The obstacles in one sentence; for people who cannot be reached. */
export function obstacleSentence(obstacles: readonly string[]): string {
  if (obstacles.length === 0) return 'no contact method';
  return obstacles.map((one) => one.replace(/\.$/, '')).join('; ');
}

function isPrivate(url: string): boolean {
  if (!FORMATS['http-url']?.(url)) return false;
  const parsed = new URL(url);
  return parsed.hostname === 'localhost' || privateLiteral(parsed) !== null;
}
