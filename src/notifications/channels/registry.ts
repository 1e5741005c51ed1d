import { browserChannel, type OpenDashboards, openDashboards } from './browser.ts';
import type { Channel, ChannelName } from './channel.ts';
import { chatChannel } from './chat.ts';
import { emailChannel } from './email.ts';
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
  };
  return { channels, dashboards };
}
