import { Type } from 'typebox';
import { browser } from './browser/contract.ts';
import { chat } from './chat/contract.ts';
import type { ChannelDescription, MethodDescription } from './description-contract.ts';
import { email } from './email/contract.ts';
import { phone } from './phone/contract.ts';
import { push } from './push/contract.ts';
import { sms } from './sms/contract.ts';
import { voice } from './voice/contract.ts';
import { webhook } from './webhook/contract.ts';

/** Every channel, in the order in which they should wake a person. All other lists of channels derive from this one. */
const REGISTERED = { push, sms, voice, chat, email, webhook, browser } as const;

/** The channels that send notifications. `browser` is the open dashboard and needs no contact method. */
export type ChannelName = keyof typeof REGISTERED;
/** For answers, where a row of a newer release may name an unknown channel. */
export const ChannelName = Type.Unsafe<ChannelName>({ type: 'string' });
type Method = NonNullable<(typeof REGISTERED)[ChannelName]['method']>;
/** The types of contact methods. */
export type MethodType = Method['type'];
/** For answers, where a row of a newer release may have an unknown type. */
export const MethodType = Type.Unsafe<MethodType>({ type: 'string' });
/** Types of contact methods that people enter. A browser creates a push subscription. */
export type WrittenType = Extract<Method, { form: object }>['type'];

export const CHANNEL: Readonly<Record<ChannelName, ChannelDescription>> = REGISTERED;
export const CHANNELS = Object.keys(REGISTERED) as ChannelName[];

/** A channel within a sentence. A channel that only a newer release knows has the name in its rows. */
export function shortNameOf(channel: string): string {
  const known = CHANNELS.find((name) => name === channel);
  return known ? CHANNEL[known].words.short : channel;
}

const methods = new Map<string, Method>(
  Object.values(REGISTERED).flatMap(({ method }) => (method ? [[method.type, method]] : [])),
);
export const METHOD_TYPES: readonly MethodType[] = [...methods.values()].map(({ type }) => type);
export const WRITTEN_TYPES: readonly WrittenType[] = [...methods.values()].flatMap((method) =>
  method.form ? [method.type] : [],
);

/** Contact methods that the on-call API shows to programs. The others contain secrets. */
export const PUBLISHED_TYPES = METHOD_TYPES.filter((type) => methodOf(type).published);

/** Describes a type of contact method. For a type that only a newer release knows, shows only the type. */
export function methodOf(type: MethodType): MethodDescription {
  const hidden = () => '…';
  return methods.get(type) ?? { ...phone, type, name: type, form: null, shown: hidden, hinted: hidden };
}

/** The channels that send to a type of contact method. None for a type that only a newer release knows. */
export function channelsOf(type: MethodType): readonly ChannelName[] {
  return CHANNELS.filter((channel) => CHANNEL[channel].method?.type === type);
}
