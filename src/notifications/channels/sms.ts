import type { Channel } from './channel.ts';
import { makeChannel, refused } from './outcome.ts';
import type { ChannelSettings } from './settings.ts';
import { smsText } from './sms-text.ts';
import { callbackBase, callTwilio, twilioUnavailable } from './twilio-call.ts';

/** SMS through Twilio; answered by sending a word back. */
export function smsChannel(settings: Pick<ChannelSettings, 'twilio' | 'publicUrl'>): Channel {
  const { twilio } = settings;
  const unavailable = twilioUnavailable(twilio, 'SMS');
  return makeChannel('sms', unavailable, async (notification, address, signal) => {
    if (!twilio) return refused(unavailable ?? '');
    const callbacks = callbackBase(settings.publicUrl, twilio.apiUrl);
    const sender = twilio.from.startsWith('MG')
      ? { messagingServiceSid: twilio.from }
      : { from: twilio.from };
    return callTwilio(twilio, signal, (client) =>
      client.messages.create({
        ...sender,
        to: address.value,
        body: smsText(notification),
        ...(callbacks ? { statusCallback: `${callbacks}/status/${notification.deliveryId}` } : {}),
      }),
    );
  });
}
