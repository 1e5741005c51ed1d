import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { ChannelName } from '../people/contract.ts';

/** The state of the channels on the settings page. */
export const ChannelHealth = Type.Object({
  channel: ChannelName,
  unavailable: Type.Union([Type.String(), Type.Null()], {
    description: 'A sentence that names the missing setting; null if the channel is set up.',
  }),
  day: Type.Object(
    {
      accepted: Type.Number(),
      failed: Type.Number(),
      waiting: Type.Number(),
      last_accepted_at: Type.Union([Type.String(TIME), Type.Null()]),
    },
    { description: 'The results of notifications of pages within the last 24 hours.' },
  ),
  test_method_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The viewer’s verified contact method that a test would use; null if they have none.',
  }),
});
export type ChannelHealth = Static<typeof ChannelHealth>;
const ChannelsHealth = Type.Object({
  channels: Type.Array(ChannelHealth),
});
export type ChannelsHealth = Static<typeof ChannelsHealth>;

export const channelsApi = {
  list: endpoint('GET /api/channels', {
    summary: 'Show whether each channel is set up, and its results of the last 24 hours',
    response: ChannelsHealth,
  }),
};
