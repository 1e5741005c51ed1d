import { browser } from './browser/contract.ts';
import { chat } from './chat/contract.ts';
import type { ChannelDescription, MethodDescription } from './description-contract.ts';
import { email } from './email/contract.ts';
import { phone } from './phone/contract.ts';
import { push } from './push/contract.ts';
import { sms } from './sms/contract.ts';
import { voice } from './voice/contract.ts';
import { webhook } from './webhook/contract.ts';

/** Every channel, in the order in which they wake somebody. The only list of channels: all others are derived from it. */
const REGISTERED = { push, sms, voice, chat, email, webhook, browser } as const;

/** The ways a notification can go out. `browser` is the open dashboard and needs no contact method. */
export type ChannelName = keyof typeof REGISTERED;
type Method = NonNullable<(typeof REGISTERED)[ChannelName]['method']>;
/** What a person can be reached by. */
export type MethodType = Method['type'];
/** Contact methods that people write down; a push subscription is made by a browser. */
export type WrittenType = Extract<Method, { form: object }>['type'];

export const CHANNEL: Readonly<Record<ChannelName, ChannelDescription>> = REGISTERED;
export const CHANNELS = Object.keys(REGISTERED) as ChannelName[];

const methods = new Map<string, Method>(
  Object.values(REGISTERED).flatMap(({ method }) => (method ? [[method.type, method]] : [])),
);
export const METHOD_TYPES: readonly MethodType[] = [...methods.values()].map(({ type }) => type);
export const WRITTEN_TYPES: readonly WrittenType[] = [...methods.values()].flatMap((method) =>
  method.form ? [method.type] : [],
);

/** Contact methods that programs may read from the on-call API; the others hold secrets. */
export const PUBLISHED_TYPES = METHOD_TYPES.filter((type) => methodOf(type).published);

/** Describes a contact method; one of a type that only a newer release knows shows nothing but its type. */
export function methodOf(type: MethodType): MethodDescription {
  const hidden = () => '…';
  return methods.get(type) ?? { ...phone, type, name: type, form: null, shown: hidden, hinted: hidden };
}

/** The channels that send to a contact method; none for a type that only a newer release knows. */
export function channelsOf(type: MethodType): readonly ChannelName[] {
  return CHANNELS.filter((channel) => CHANNEL[channel].method?.type === type);
}
