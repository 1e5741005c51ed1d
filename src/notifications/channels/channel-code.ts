import type { FastifyPluginAsync } from 'fastify';
import type { InboundPorts } from '../inbound/ports.ts';
import type { OpenDashboards } from './browser/channel.ts';
import type { Channel } from './channel.ts';
import type { MethodReader } from './description-contract.ts';
import type { ProviderSettings } from './settings.ts';

/**
 * The code of a channel, as `registry.ts` lists it. Its `contract.ts` describes it. `build` and `callbacks` read the settings
 * of their provider each time that they need them, because somebody may set it up or change it while the service runs.
 */
export type ChannelCode = {
  settings: ProviderSettings<string, object>;
  build(settings: never, dashboards: OpenDashboards): Channel;
  /** Parses the contact method as people write it; null when people do not write it. */
  method: MethodReader | null;
  /**
   * Imports the provider's library if the channel is set up, so that no page waits for the import; null without a
   * library.
   */
  load: ((settings: never) => Promise<unknown> | null) | null;
  /** Routes for the provider's callbacks, which are answers and receipts; null when it has none. */
  callbacks: ((settings: never, ports: InboundPorts) => FastifyPluginAsync) | null;
  /** True: it calls a provider, which the demo must not do. */
  mutable: boolean;
};
