import { randomUUID } from 'node:crypto';
import type { Log } from '../kit/log.ts';
import type { Sealing } from '../kit/sealing.ts';
import type { Courier } from '../people/methods/courier.ts';
import type { ChannelName } from './channels/channel.ts';
import type { Message } from './channels/message.ts';
import { type Channels, meansOf } from './channels/registry.ts';

const DEADLINE_MS = 10_000;

export type CourierServices = {
  channels: Channels;
  sealing: Sealing;
  publicUrl: string;
  allowPrivate: boolean;
  log: Log;
  /** Told of what arrived. */
  worked(methodId: string, channel: ChannelName): void;
};

/** Sends codes and tests while their person waits for the answer. */
export function createCourier(services: CourierServices): Courier {
  const { channels, sealing, allowPrivate, log } = services;
  return {
    means: meansOf(channels, allowPrivate),
    async send(destination, errand) {
      const message: Message = {
        type: errand.type,
        id: `message_${randomUUID()}`,
        kind: null,
        subject: errand.subject,
        text: errand.text,
        url: errand.path === null ? null : services.publicUrl + errand.path,
        code: errand.code,
        sentAt: Temporal.Now.instant(),
      };
      try {
        const signingSecret = destination.signingSecret && sealing.open(destination.signingSecret);
        const address = { ...destination, signingSecret };
        const outcome = await channels[errand.channel].send(
          message,
          address,
          AbortSignal.timeout(DEADLINE_MS),
        );
        if (outcome.kind !== 'accepted') return outcome.error;
        services.worked(errand.methodId, errand.channel);
        return null;
      } catch (error) {
        log.error({ err: error, channel: errand.channel }, 'a code or a test could not be sent');
        return 'Something is broken on our side; the log says what.';
      }
    },
  };
}
