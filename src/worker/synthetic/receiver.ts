import type { Sealing } from '../../kit/sealing.ts';
import type { Channel } from '../../notifications/channels/channel.ts';

/** Known to this installation alone, so that nobody else's contact method leads here; never looked up by name. */
export function receiverAddress(sealing: Sealing): string {
  return `https://synthetic.invalid/${sealing.sign('synthetic page', 'receiver')}`;
}

/** The webhook channel, which takes in itself what is for our own receiver. */
export function withReceiver(channel: Channel, address: string): Channel {
  return {
    ...channel,
    send: async (content, to, signal) =>
      to.value === address ? { kind: 'accepted', providerId: null } : channel.send(content, to, signal),
  };
}
