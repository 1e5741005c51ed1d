import type { Config } from '../../config.ts';
import { openVapid } from '../../installation/secrets.ts';
import { buildChannels, meansOf } from '../../notifications/channels/registry.ts';
import type { Means } from '../../people/reachability.ts';

/** The channels that a server with this configuration can use. */
export async function readMeans(config: Readonly<Config>): Promise<Means> {
  const { channels } = buildChannels({ ...config, vapid: await openVapid(config) });
  return meansOf(channels, config.allowPrivateWebhooks);
}
