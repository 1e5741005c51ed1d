import { randomUUID } from 'node:crypto';
import type { Log } from '../kit/log.ts';
import type { Sealing } from '../kit/sealing.ts';
import { stored } from '../language/contract.ts';
import type { Courier } from '../people/methods/courier.ts';
import type { ChannelName } from './channels/channel.ts';
import type { Message } from './channels/message.ts';
import { type Channels, meansOf, methodReader } from './channels/registry.ts';

const DEADLINE_MS = 10_000;

export type CourierServices = {
  channels: Channels;
  sealing: Sealing;
  publicUrl: string;
  allowPrivate: boolean;
  log: Log;
  /** Called for each message that the provider accepted. */
  worked(methodId: string, channel: ChannelName): void;
};

/** Sends verification codes and tests while the person waits for the result. */
export function createCourier(services: CourierServices): Courier {
  const { channels, sealing, allowPrivate, log } = services;
  return {
    means: meansOf(channels, allowPrivate),
    readMethod: methodReader,
    async send(destination, direct) {
      const message: Message = {
        type: direct.type,
        id: `message_${randomUUID()}`,
        kind: null,
        subject: direct.subject,
        text: direct.text,
        url: direct.path === null ? null : services.publicUrl + direct.path,
        code: direct.code,
        sentAt: Temporal.Now.instant(),
      };
      try {
        const signingSecret = destination.signingSecret && sealing.open(destination.signingSecret);
        const address = { ...destination, signingSecret };
        const outcome = await channels[direct.channel].send(
          message,
          address,
          AbortSignal.timeout(DEADLINE_MS),
        );
        if (outcome.kind !== 'accepted') return outcome.error;
        services.worked(direct.methodId, direct.channel);
        return null;
      } catch (error) {
        log.error({ err: error, channel: direct.channel }, 'could not send a verification code or a test');
        return stored('Tocsin failed to send the message; the log has the details.');
      }
    },
  };
}
