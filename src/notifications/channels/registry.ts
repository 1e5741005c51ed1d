import type { Means } from '../../people/reachability.ts';
import { browserChannel, type OpenDashboards, openDashboards } from './browser.ts';
import type { Channel, ChannelName } from './channel.ts';
import { chatChannel } from './chat.ts';
import { emailChannel } from './email.ts';
import { muteChannel } from './mute.ts';
import { pushChannel } from './push.ts';
import type { ChannelSettings } from './settings.ts';
import { smsChannel } from './sms.ts';
import { voiceChannel } from './voice.ts';
import { webhookChannel } from './webhook.ts';

export type Channels = Record<ChannelName, Channel>;

/** Every channel of this process, and the dashboards that are open in it. Loads no client library yet. */
export function buildChannels(settings: ChannelSettings): { channels: Channels; dashboards: OpenDashboards } {
  const dashboards = openDashboards();
  const channels: Channels = {
    push: pushChannel(settings),
    sms: smsChannel(settings),
    voice: voiceChannel(settings),
    chat: chatChannel(settings),
    email: emailChannel(settings),
    webhook: webhookChannel(settings),
    browser: browserChannel(dashboards),
    ...(settings.mute ? muteProviders() : {}),
  };
  return { channels, dashboards };
}

/** Push and webhooks have no provider of ours: they reach what somebody set up here, nobody of the example. */
function muteProviders(): Partial<Channels> {
  return {
    sms: muteChannel('sms'),
    voice: muteChannel('voice'),
    chat: muteChannel('chat'),
    email: muteChannel('email'),
  };
}

/** What can be sent over at all, for whoever asks whether a person can be reached. */
export function meansOf(channels: Channels, allowPrivate: boolean): Means {
  const unavailable = Object.values(channels).flatMap(({ name, unavailable }) =>
    unavailable === null ? [] : [[name, unavailable] as const],
  );
  return { unavailable: new Map(unavailable), allowPrivate };
}
