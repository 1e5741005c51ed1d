import assert from 'node:assert/strict';
import { channelContract, type Situation } from '../src/notifications/channels/channel.contract.ts';
import type { Channel } from '../src/notifications/channels/channel.ts';
import { twilioCallbacks } from '../src/notifications/channels/phone/callbacks.ts';
import type { ReceiptState } from '../src/notifications/inbound/receipt.ts';
import { type FakeTwilio, failure, fakeTwilio } from './fakes/fake-twilio.ts';
import { inboundServer, recordedPorts } from './fakes/inbound-server.ts';
import type { Inbox } from './fakes/inbox.ts';
import { aNotification } from './fakes/notification.ts';
import type { Answer } from './fakes/scripted-server.ts';

export const publicUrl = 'https://tocsin.example';
export const ADA = { value: '+15005550009', userId: 'organization_user_1' };

/** The situations of the contract as Twilio's answers, for SMS and calls. */
const ANSWERS: Partial<Record<Situation, Answer>> = {
  'refused for good': failure(400, 21211, "The 'To' number +1 is not a valid phone number."),
  'refused for now': { ...failure(429, 20429, 'Too Many Requests'), headers: { 'retry-after': '7' } },
  'slow but in time': { delayMs: 100 },
  hanging: 'hang',
  'reset mid-answer': 'cut',
  'malformed answer': { status: 201, body: '<html>fine</html>' },
  'dripping answer': 'drip',
  'endless answer': 'endless',
  'wrong credentials': failure(401, 20003, 'Authenticate'),
};

function arrangeTwilio(
  twilio: FakeTwilio,
  settings: { apiUrl: string },
  goneUrl: string,
  situation: Situation,
) {
  settings.apiUrl = situation === 'connection refused' ? goneUrl : twilio.settings.apiUrl;
  const answer = ANSWERS[situation];
  if (answer) twilio.script(answer);
}

/** Runs the contract of a channel that uses Twilio. */
export function twilioContract<Sent extends Parameters<FakeTwilio['receipt']>[0]>(
  name: string,
  channelWith: (settings: { twilio: FakeTwilio['settings'] | null; publicUrl: string }) => Channel,
  /** The inbox of its messages. */
  arrivals: (twilio: FakeTwilio) => Inbox<Sent>,
  /** Twilio's statuses where they differ from those of the contract. */
  words: Partial<Record<ReceiptState, string>> = {},
): void {
  channelContract(name, {
    async open() {
      const twilio = await fakeTwilio({ publicUrl });
      const gone = await fakeTwilio();
      await gone.stop();
      const settings = { ...twilio.settings };
      return {
        channel: channelWith({ twilio: settings, publicUrl }),
        address: ADA,
        arrange: (situation) => arrangeTwilio(twilio, settings, gone.settings.apiUrl, situation),
        check() {
          arrivals(twilio).takeAll();
          twilio.assertNothingUnexpected();
        },
        stop: () => twilio.stop(),
      };
    },
    unconfigured: channelWith({ twilio: null, publicUrl }),
    async receipts() {
      const { deliveryId } = aNotification();
      const twilio = await fakeTwilio({ publicUrl });
      const ports = recordedPorts();
      const server = await inboundServer(twilioCallbacks({ twilio: twilio.settings, publicUrl }, ports));
      twilio.reachAt(server.url);
      const channel = channelWith({ twilio: twilio.settings, publicUrl });
      await channel.send(aNotification(), ADA, AbortSignal.timeout(5_000));
      const sent = await arrivals(twilio).next();
      return {
        async post(state) {
          assert.equal((await twilio.receipt(sent, words[state] ?? state)).status, 204);
        },
        state: () => ports.states.get(deliveryId) ?? null,
        async stop() {
          await server.stop();
          await twilio.stop();
        },
      };
    },
  });
}
