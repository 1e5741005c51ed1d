import type { FastifyPluginAsync } from 'fastify';
import type { Read } from '../../kit/setting.ts';
import type { Means } from '../../people/reachability.ts';
import type { InboundPorts } from '../inbound/ports.ts';
import { browserCode, type OpenDashboards, openDashboards } from './browser/channel.ts';
import type { Channel } from './channel.ts';
import type { ChannelCode } from './channel-code.ts';
import { chatCode } from './chat/channel.ts';
import { CHANNELS, type ChannelName, channelsOf, type WrittenType } from './contract.ts';
import type { MethodReader } from './description-contract.ts';
import { emailCode } from './email/channel.ts';
import { muteChannel } from './mute.ts';
import type { ProviderName } from './providers-contract.ts';
import { pushCode } from './push/channel.ts';
import type { CommonSettings, ProviderForm, ProviderSettings } from './settings.ts';
import { smsCode } from './sms/channel.ts';
import { voiceCode } from './voice/channel.ts';
import { webhookCode } from './webhook/channel.ts';

/** The code of every channel. `contract.ts` lists their descriptions, which the dashboard also uses. */
const REGISTERED = {
  push: pushCode,
  sms: smsCode,
  voice: voiceCode,
  chat: chatCode,
  email: emailCode,
  webhook: webhookCode,
  browser: browserCode,
} satisfies Record<ChannelName, ChannelCode>;

type Registered = (typeof REGISTERED)[ChannelName];
/** `A | B` → `A & B`. */
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Both) => void
  ? Both
  : never;

type ProviderVariable = Registered['settings']['names'][number];
/** The settings of every provider; null for providers that are not set up. */
export type Providers = All<ReturnType<Registered['settings']['read']>>;
/** All settings of channels as plain values, which `config.ts` reads from the environment. */
export type ChannelSettings = CommonSettings & Providers;
export type Channels = Record<ChannelName, Channel>;

const PROVIDERS = [...new Set(Object.values(REGISTERED).map(({ settings }) => settings))];
export const PROVIDER_VARIABLES: readonly ProviderVariable[] = PROVIDERS.flatMap(({ names }) => [...names]);

type Named = { form: ProviderForm } & ProviderSettings<string, object>;

/** The settings of every provider that the dashboard can set up. */
const WITH_FORM = new Map(
  PROVIDERS.flatMap((settings: ProviderSettings<string, object>): [ProviderName, Named][] =>
    settings.form ? [[settings.form.provider, { ...settings, form: settings.form }]] : [],
  ),
);

/** How a provider is set up in the dashboard, and read from there. */
export function providerSettings(name: ProviderName): Named {
  const settings = WITH_FORM.get(name);
  if (!settings) throw new Error(`The provider ${name} has no form.`);
  return settings;
}

/** The channels that need this provider. */
export function channelsThrough(name: ProviderName): ChannelName[] {
  return CHANNELS.filter((channel) => {
    const settings: ProviderSettings<string, object> = REGISTERED[channel].settings;
    return settings.form?.provider === name;
  });
}

export function readProviders(read: Read<ProviderVariable>): Providers {
  return Object.assign({}, ...PROVIDERS.map((settings) => settings.read(read)));
}

/** Builds every channel of this process, and its list of open dashboards. Does not load client libraries. */
export function buildChannels(settings: ChannelSettings): { channels: Channels; dashboards: OpenDashboards } {
  const dashboards = openDashboards();
  const build = (name: ChannelName): Channel => {
    const code = REGISTERED[name];
    return settings.mute && code.mutable ? muteChannel(name) : code.build(settings, dashboards);
  };
  const channels = Object.fromEntries(CHANNELS.map((name) => [name, build(name)])) as Channels;
  return { channels, dashboards };
}

/** Imports the libraries of all configured providers. */
export async function loadProviders(settings: ChannelSettings): Promise<void> {
  await Promise.all(
    Object.values(REGISTERED).map(({ load, mutable }) =>
      settings.mute && mutable ? null : load?.(settings),
    ),
  );
}

/** Routes for the answers and receipts that providers send. */
export function callbackRoutes(settings: ChannelSettings, ports: InboundPorts): FastifyPluginAsync[] {
  const callbacks = new Set(Object.values(REGISTERED).map((code) => code.callbacks));
  return [...callbacks].flatMap((routes) => (routes ? [routes(settings, ports)] : []));
}

/** The parser of a type of contact method, as people write it. */
export function methodReader(type: WrittenType): MethodReader {
  const reader = channelsOf(type)
    .map((channel) => REGISTERED[channel].method)
    .find((method) => method !== null);
  if (!reader) throw new Error(`No channel reads contact methods of type ${type}.`);
  return reader;
}

/**
 * The usable channels, which decide whether a person can be reached. `unavailable` is always current, although somebody may
 * set up a provider while the service runs.
 */
export function meansOf(channels: Channels, allowPrivate: boolean): Means {
  let known: (string | null)[] = [];
  let map = new Map<ChannelName, string>();
  return {
    allowPrivate,
    get unavailable() {
      const now = CHANNELS.map((name) => channels[name].unavailable);
      if (now.length !== known.length || now.some((sentence, index) => sentence !== known[index])) {
        known = now;
        const missing = CHANNELS.flatMap((name, index) => {
          const sentence = now[index] ?? null;
          return sentence === null ? [] : [[name, sentence] as const];
        });
        map = new Map(missing);
      }
      return map;
    },
  };
}
