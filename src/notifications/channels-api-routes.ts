import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { route } from '../kit/route.ts';
import { storedTextOrNull } from '../language/stored.ts';
import { verifiedMethods } from '../people/contact-store.ts';
import { viewerOf } from '../sessions/contract.ts';
import { CHANNEL, CHANNELS, type ChannelName } from './channels/contract.ts';
import type { Channels } from './channels/registry.ts';
import { type ChannelHealth, channelsApi } from './channels-api-contract.ts';
import { channelDays } from './outcome-store.ts';

/** Whether each channel is set up, and its results of the last 24 hours. */
export function channelApiRoutes(
  api: FastifyInstance,
  { db, clock, channels }: { db: Database; clock: Clock; channels: Channels },
): void {
  route(api, channelsApi.list, async (request) => {
    const { organizationId, userId } = viewerOf(request);
    const since = (await clock.now(db)).subtract({ hours: 24 });
    const [days, methods] = await Promise.all([
      channelDays(db, organizationId, since),
      verifiedMethods(db, userId),
    ]);
    const health = (channel: ChannelName): ChannelHealth => {
      const type = CHANNEL[channel].method?.type;
      const { channel: _, ...day } = days.find((row) => row.channel === channel) ?? {
        channel,
        accepted: 0,
        failed: 0,
        waiting: 0,
        last_accepted_at: null,
      };
      return {
        channel,
        unavailable: storedTextOrNull(channels[channel].unavailable),
        day,
        test_method_id: (type && methods.get(type)) ?? null,
      };
    };
    return { channels: CHANNELS.map(health) };
  });
}
