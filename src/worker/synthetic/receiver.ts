import type { Sealing } from '../../kit/sealing.ts';
import type { Channel } from '../../notifications/channels/channel.ts';

/** The address of the receiver. It contains a signature, so that nobody else's contact method leads here; it is never resolved. */
export function receiverAddress(sealing: Sealing): string {
  return `https://synthetic.invalid/${sealing.sign('synthetic page', 'receiver')}`;
}

/** The webhook channel, which handles synthetic pages itself. */
export function withReceiver(channel: Channel, address: string): Channel {
  return {
    ...channel,
    send: async (content, to, signal) =>
      to.value === address ? { kind: 'accepted', providerId: null } : channel.send(content, to, signal),
  };
}
