import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { MethodType } from '../people/contract.ts';
import { viewerOf } from '../sessions/contract.ts';
import { CHANNELS, type ChannelName } from './channels/channel.ts';
import type { Channels } from './channels/registry.ts';
import type { ChannelHealth, ChannelsHealth } from './channels-api-contract.ts';
import { channelDays, verifiedMethods } from './channels-store.ts';

/** The contact method that a channel sends to; the open dashboard needs none. */
const METHOD_OF: Record<ChannelName, MethodType | null> = {
  push: 'push',
  sms: 'phone',
  voice: 'phone',
  chat: 'chat',
  email: 'email',
  webhook: 'webhook',
  browser: null,
};

/** GET /api/channels: whether each can be used, and how it did in the last 24 hours. */
export function channelApiRoutes(
  api: FastifyInstance,
  { db, clock, channels }: { db: Database; clock: Clock; channels: Channels },
): void {
  api.get('/channels', { schema: { hide: true } }, async (request): Promise<ChannelsHealth> => {
    const { organizationId, userId } = viewerOf(request);
    const since = (await clock.now(db)).subtract({ hours: 24 });
    const [days, methods] = await Promise.all([
      channelDays(db, organizationId, since),
      verifiedMethods(db, userId),
    ]);
    const health = (channel: ChannelName): ChannelHealth => {
      const method = METHOD_OF[channel];
      const { channel: _, ...day } = days.find((row) => row.channel === channel) ?? {
        ...{ channel, accepted: 0, failed: 0, waiting: 0, last_accepted_at: null },
      };
      return {
        ...{ channel, unavailable: channels[channel].unavailable, day },
        test_method_id: (method && methods.get(method)) ?? null,
      };
    };
    return { channels: CHANNELS.map(health) };
  });
}
