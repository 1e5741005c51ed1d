import type { Channel } from './channel.ts';
import { isMessage, messageSms } from './message.ts';
import { makeChannel, refused } from './outcome.ts';
import type { ChannelSettings } from './settings.ts';
import { smsText } from './sms-text.ts';
import { callbackBase, callTwilio, twilioUnavailable } from './twilio-call.ts';

/** SMS through Twilio; answered by sending a word back. */
export function smsChannel(settings: Pick<ChannelSettings, 'twilio' | 'publicUrl'>): Channel {
  const { twilio } = settings;
  const unavailable = twilioUnavailable(twilio, 'SMS');
  return makeChannel('sms', unavailable, async (content, address, signal) => {
    if (!twilio) return refused(unavailable ?? '');
    const callbacks = callbackBase(settings.publicUrl, twilio.apiUrl);
    const sender = twilio.from.startsWith('MG')
      ? { messagingServiceSid: twilio.from }
      : { from: twilio.from };
    return callTwilio(twilio, signal, (client) =>
      client.messages.create({
        ...sender,
        to: address.value,
        ...(isMessage(content)
          ? { body: messageSms(content) }
          : {
              body: smsText(content),
              ...(callbacks ? { statusCallback: `${callbacks}/status/${content.deliveryId}` } : {}),
            }),
      }),
    );
  });
}
