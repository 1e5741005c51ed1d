import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { openVapid, readSealing } from '../../installation/secrets.ts';
import { readMark } from '../../installation/store.ts';
import { buildChannels, meansOf } from '../../notifications/channels/registry.ts';
import { createProviders } from '../../notifications/providers.ts';
import type { Means } from '../../people/reachability.ts';

/**
 * The channels that a server with this configuration can use. Without the secret key, providers of the dashboard cannot be read and
 * count as not set up.
 */
export async function readMeans(db: Database, config: Readonly<Config>): Promise<Means> {
  const settings = { ...config, vapid: await openVapid(config) };
  const sealing = await readSealing(config, await readMark(db));
  if (sealing) {
    const silent = { info: () => undefined, warn: () => undefined };
    await createProviders({ settings, config, sealing, log: silent, onSetUp: async () => undefined }).learn(
      db,
    );
  }
  return meansOf(buildChannels(settings).channels, config.allowPrivateWebhooks);
}
