import { privateLiteral } from '../kit/private-addresses.ts';
import { FORMATS } from '../kit/validation.ts';
import { t, tIn } from '../language/contract.ts';
import { storedTextOrNull } from '../language/stored.ts';
import { channelsOf, methodOf } from '../notifications/channels/contract.ts';
import type { ChannelName, MethodType } from './contract.ts';

/** The properties that decide whether a contact method can be used. */
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

/** Why a channel cannot be used, for the reader; null if it can. */
export function notSetUp(channel: ChannelName, { unavailable }: Means): string | null {
  return storedTextOrNull(unavailable.get(channel) ?? null);
}

/** Why a contact method cannot be used; null if it can. */
export function obstacle(method: MethodFacts, means: Means): string | null {
  const { type } = method;
  const shown = methodOf(type).form ? `${type} ${method.value}` : t('push to a browser');
  switch (obstacleOf(method, means)) {
    case 'unverified':
      return t('{method} is not verified', { method: shown });
    case 'not_set_up':
      return (
        channelsOf(type)
          .map((channel) => notSetUp(channel, means))
          .find(Boolean) ?? t('{type} is not known to this release of the service', { type })
      );
    case 'no_detail':
      return t('{method} has no {field}', { method: shown, field: methodOf(type).detail?.field ?? '' });
    case 'private_address':
      return t('{method} is a private address, and {setting} is not set', {
        method: shown,
        setting: 'ALLOW_PRIVATE_WEBHOOKS',
      });
    case null:
      return null;
  }
}

/** `types`: the contact methods with this obstacle, `email, push`. */
function inShortOf(obstacle: Obstacle, types: string): string {
  switch (obstacle) {
    case 'unverified':
      return t('{types} not verified', { types });
    case 'not_set_up':
      return t('{types} not set up here', { types });
    case 'no_detail':
      return t('{types} without a chat_user_id', { types });
    case 'private_address':
      return t('{types} at a private address', { types });
  }
}

/** Why a page for this person is refused, after the name of the field. */
export function namesUnreachable(name: string, reach: Reach | undefined): string {
  return t(
    'names {name}, who cannot be reached: {why}, and they have no open dashboard; add and verify a contact method whose channel is set up, or have them open the dashboard',
    { name, why: reach?.whyNotInShort ?? disabledText() },
  );
}

/** A short form for lists of people: `phone not verified; email, push not set up here`. */
function inShort(methods: readonly MethodFacts[], means: Means): string {
  const found = methods.flatMap((method) => {
    const why = obstacleOf(method, means);
    return why ? [{ why, type: method.type }] : [];
  });
  if (found.length === 0) return noMethod();
  return [...Map.groupBy(found, ({ why }) => why)]
    .map(([why, those]) => inShortOf(why, [...new Set(those.map(({ type }) => type))].join(', ')))
    .join('; ');
}

function disabledText(): string {
  return tIn('a person', 'disabled');
}

export function noMethod(): string {
  return t('no contact method');
}

/** The facts that decide whether a person can be reached. */
export type ReachFacts = { disabled: boolean; dashboardOpen: boolean; methods: readonly MethodFacts[] };

/**
 * Whether a person can be reached, and how: by a verified contact method whose channel is set up, or otherwise by only
 * an open dashboard. `whyNot` gives the reason why no contact method reaches them, and `whyNotInShort` the same without
 * addresses. Both are in the language of the reader, because a burst of pages shares one answer.
 */
export type Reach =
  | { reachable: true; by: 'contact_method'; whyNot: null; whyNotInShort: null }
  | {
      readonly reachable: true;
      readonly by: 'dashboard';
      readonly whyNot: string;
      readonly whyNotInShort: string;
    }
  | { readonly reachable: false; readonly by: null; readonly whyNot: string; readonly whyNotInShort: string };

/** The one answer to "can this person be reached, and how?" (contract, sections 5 and 10). */
export function reachability({ disabled, dashboardOpen, methods }: ReachFacts, means: Means): Reach {
  if (disabled) return unreached({ reachable: false, by: null }, disabledText, disabledText);
  if (methods.some((method) => obstacleOf(method, means) === null))
    return { reachable: true, by: 'contact_method', whyNot: null, whyNotInShort: null };
  return unreached(
    dashboardOpen ? { reachable: true, by: 'dashboard' } : { reachable: false, by: null },
    () => inSentences(methods, means),
    () => inShort(methods, means),
  );
}

function unreached<How>(how: How, whyNot: () => string, whyNotInShort: () => string) {
  return {
    ...how,
    get whyNot() {
      return whyNot();
    },
    get whyNotInShort() {
      return whyNotInShort();
    },
  };
}

function inSentences(methods: readonly MethodFacts[], means: Means): string {
  const found = methods.map((method) => obstacle(method, means)).filter((one) => one !== null);
  if (found.length === 0) return noMethod();
  return [...new Set(found)].map((one) => one.replace(/\.$/, '')).join('; ');
}

function isPrivate(url: string): boolean {
  if (!FORMATS['http-url']?.(url)) return false;
  const parsed = new URL(url);
  return parsed.hostname === 'localhost' || privateLiteral(parsed) !== null;
}
