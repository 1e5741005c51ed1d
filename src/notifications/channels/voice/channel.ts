import { stored } from '../../../language/contract.ts';
import type { Channel } from '../channel.ts';
import type { ChannelCode } from '../channel-code.ts';
import { isMessage, messageTwiml } from '../message.ts';
import { type Attempt, makeChannel, refused } from '../outcome.ts';
import { twilioCallbacks } from '../phone/callbacks.ts';
import { phoneMethod } from '../phone/method.ts';
import { TWILIO, type TwilioSettings } from '../phone/settings.ts';
import { callbackBase, callTwilio, loadTwilio, twilioUnavailable } from '../phone/twilio-call.ts';
import type { CommonSettings } from '../settings.ts';
import { pageTwiml } from './twiml.ts';

const RING_SECONDS = 45;

/**
 * Phone calls through Twilio, which end when their page has ended. The spoken text is part of the request, so a person
 * hears the page even if Twilio cannot reach us. Only key presses need callbacks.
 */
export function voiceChannel(settings: TwilioSettings & Pick<CommonSettings, 'publicUrl'>): Channel {
  const unavailable = () => twilioUnavailable(settings.twilio, 'Voice calls');
  const ring: Attempt = async (content, address, signal) => {
    const { twilio } = settings;
    if (!twilio) return refused(unavailable() ?? '');
    const call = { from: twilio.from, to: address.value, timeout: RING_SECONDS };
    if (isMessage(content)) {
      const twiml = await messageTwiml(content);
      return callTwilio(twilio, signal, (client) => client.calls.create({ ...call, twiml }));
    }
    const { deliveryId } = content;
    const callbacks = callbackBase(settings.publicUrl, twilio.apiUrl);
    const twiml = await pageTwiml(content, callbacks && `${callbacks}/voice/${deliveryId}/key`);
    return callTwilio(twilio, signal, (client) =>
      client.calls.create({
        ...call,
        twiml,
        ...(callbacks ? statusCallbacks(`${callbacks}/status/${deliveryId}`) : {}),
      }),
    );
  };
  return makeChannel('voice', unavailable, ring, async ({ providerId }, _, signal) => {
    const { twilio } = settings;
    if (!twilio) return refused(unavailable() ?? '');
    if (!providerId) return refused(stored('Twilio gave this call no id, so it cannot be ended.'));
    // Twilio: `completed` ends calls that wait, ring or were answered; `canceled` would spare answered ones.
    return callTwilio(twilio, signal, (client) => client.calls(providerId).update({ status: 'completed' }));
  });
}

function statusCallbacks(url: string) {
  return {
    statusCallback: url,
    statusCallbackMethod: 'POST',
    statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
  };
}

export const voiceCode = {
  settings: TWILIO,
  build: voiceChannel,
  method: phoneMethod,
  load: loadTwilio,
  callbacks: twilioCallbacks,
  mutable: true,
} satisfies ChannelCode;
