import type { Channel } from './channel.ts';
import { isMessage, messageTwiml } from './message.ts';
import { makeChannel, refused } from './outcome.ts';
import type { ChannelSettings } from './settings.ts';
import { callbackBase, callTwilio, twilioUnavailable } from './twilio-call.ts';
import { pageTwiml } from './voice-twiml.ts';

const RING_SECONDS = 45;

/**
 * Phone calls through Twilio. What is said travels with the call: a person hears the page even when Twilio cannot
 * reach us, and only the key press needs a way back.
 */
export function voiceChannel(settings: Pick<ChannelSettings, 'twilio' | 'publicUrl'>): Channel {
  const { twilio } = settings;
  const unavailable = twilioUnavailable(twilio, 'Voice calls');
  return makeChannel('voice', unavailable, async (content, address, signal) => {
    if (!twilio) return refused(unavailable ?? '');
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
  });
}

function statusCallbacks(url: string) {
  return {
    statusCallback: url,
    statusCallbackMethod: 'POST',
    statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
  };
}
