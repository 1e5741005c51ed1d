import { privateLiteral } from '../kit/private-addresses.ts';
import { FORMATS } from '../kit/validation.ts';
import { channelsOf, methodOf } from '../notifications/channels/contract.ts';
import type { ChannelName, MethodType } from './contract.ts';

/** What decides whether something can be sent to a contact method. */
export type MethodFacts = {
  userId: string;
  type: MethodType;
  value: string;
  chatUserId: string | null;
  verified: boolean;
};

/** Channels that cannot be used, with the sentence that names the missing setting. */
export type Unavailable = ReadonlyMap<ChannelName, string>;

/** The channels that the service can use. */
export type Means = {
  unavailable: Unavailable;
  /** Whether webhooks may go to private and loopback addresses. */
  allowPrivate: boolean;
};

type Obstacle = 'unverified' | 'not_set_up' | 'no_detail' | 'private_address';

function obstacleOf(method: MethodFacts, { unavailable, allowPrivate }: Means): Obstacle | null {
  const { type } = method;
  if (!method.verified) return 'unverified';
  if (channelsOf(type).every((channel) => unavailable.has(channel))) return 'not_set_up';
  const { detail, called } = methodOf(type);
  if (detail && !method.chatUserId) return 'no_detail';
  if (called && !allowPrivate && isPrivate(method.value)) return 'private_address';
  return null;
}

/** Why nothing can be sent to a contact method; null when something can. */
export function obstacle(method: MethodFacts, means: Means): string | null {
  const { type } = method;
  const shown = methodOf(type).form ? `${type} ${method.value}` : 'push to a browser';
  switch (obstacleOf(method, means)) {
    case 'unverified':
      return `${shown} is not verified`;
    case 'not_set_up':
      return (
        channelsOf(type)
          .map((channel) => means.unavailable.get(channel))
          .find(Boolean) ?? `${type} is not known to this release of the service`
      );
    case 'no_detail':
      return `${shown} has no ${methodOf(type).detail?.field}`;
    case 'private_address':
      return `${shown} is a private address, and ALLOW_PRIVATE_WEBHOOKS is not set`;
    case null:
      return null;
  }
}

const IN_SHORT: Record<Obstacle, string> = {
  unverified: 'not verified',
  not_set_up: 'not set up here',
  no_detail: 'without a chat_user_id',
  private_address: 'at a private address',
};

/** Why a page for this person is refused: `Ada, who cannot be reached: …`. */
export function whyUnreachable(name: string, reach: Reach | undefined): string {
  const why = reach?.whyNotInShort ?? DISABLED;
  return `${name}, who cannot be reached: ${why}, and no dashboard of theirs is open; add and verify a contact method whose channel is set up, or have them open the dashboard`;
}

/** A short form for lists of people: `phone not verified; email, push not set up here`. */
function inShort(methods: readonly MethodFacts[], means: Means): string {
  const found = methods.flatMap((method) => {
    const why = obstacleOf(method, means);
    return why ? [{ why, type: method.type }] : [];
  });
  if (found.length === 0) return NO_METHOD;
  return [...Map.groupBy(found, ({ why }) => why)]
    .map(([why, those]) => `${[...new Set(those.map(({ type }) => type))].join(', ')} ${IN_SHORT[why]}`)
    .join('; ');
}

const DISABLED = 'disabled';
export const NO_METHOD = 'no contact method';

/** The facts that decide whether a person can be reached. */
export type ReachFacts = { disabled: boolean; dashboardOpen: boolean; methods: readonly MethodFacts[] };

/**
 * Whether a person can be reached, and how: by a verified contact method whose channel is set up, or else by an open
 * dashboard alone. `whyNot` says why no contact method reaches them, and `whyNotInShort` the same without addresses.
 */
export type Reach =
  | { reachable: true; by: 'contact_method'; whyNot: null; whyNotInShort: null }
  | { reachable: true; by: 'dashboard'; whyNot: string; whyNotInShort: string }
  | { reachable: false; by: null; whyNot: string; whyNotInShort: string };

/** The one answer to "can this person be reached, and how?" (contract, sections 5 and 10). */
export function reachability({ disabled, dashboardOpen, methods }: ReachFacts, means: Means): Reach {
  if (disabled) return { reachable: false, by: null, whyNot: DISABLED, whyNotInShort: DISABLED };
  if (methods.some((method) => obstacleOf(method, means) === null))
    return { reachable: true, by: 'contact_method', whyNot: null, whyNotInShort: null };
  const why = { whyNot: inSentences(methods, means), whyNotInShort: inShort(methods, means) };
  return dashboardOpen
    ? { reachable: true, by: 'dashboard', ...why }
    : { reachable: false, by: null, ...why };
}

function inSentences(methods: readonly MethodFacts[], means: Means): string {
  const found = methods.map((method) => obstacle(method, means)).filter((one) => one !== null);
  if (found.length === 0) return NO_METHOD;
  return [...new Set(found)].map((one) => one.replace(/\.$/, '')).join('; ');
}

function isPrivate(url: string): boolean {
  if (!FORMATS['http-url']?.(url)) return false;
  const parsed = new URL(url);
  return parsed.hostname === 'localhost' || privateLiteral(parsed) !== null;
}
