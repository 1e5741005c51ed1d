import type { FastifyPluginAsync } from 'fastify';
import type { InboundPorts } from '../inbound/ports.ts';
import type { OpenDashboards } from './browser/channel.ts';
import type { Channel } from './channel.ts';
import type { MethodReader } from './description-contract.ts';
import type { ProviderSettings } from './settings.ts';

/** What a channel does, as `registry.ts` lists it. Its `contract.ts` says what it is. */
export type ChannelCode = {
  settings: ProviderSettings<string, object>;
  build(settings: never, dashboards: OpenDashboards): Channel;
  /** Reads the contact method as people write it; null when they do not write one. */
  method: MethodReader | null;
  /** Imports the provider's library if the channel is set up, so that no page waits for it; null when there is none to import. */
  load: ((settings: never) => Promise<unknown> | null) | null;
  /** Routes for the answers and receipts that the provider sends; null when it sends none. */
  callbacks: ((settings: never, ports: InboundPorts) => FastifyPluginAsync | null) | null;
  /** True: it reaches people through a provider, which the example must not call. */
  mutable: boolean;
};
