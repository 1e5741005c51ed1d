import type { Channel } from '../channel.ts';
import type { ChannelCode } from '../channel-code.ts';
import { isMessage, messageSms } from '../message.ts';
import { makeChannel, refused } from '../outcome.ts';
import { twilioCallbacks } from '../phone/callbacks.ts';
import { phoneMethod } from '../phone/method.ts';
import { TWILIO, type TwilioSettings } from '../phone/settings.ts';
import { callbackBase, callTwilio, loadTwilio, twilioUnavailable } from '../phone/twilio-call.ts';
import type { CommonSettings } from '../settings.ts';
import { smsText } from './text.ts';

/** SMS through Twilio. People answer with a text message. */
export function smsChannel(settings: TwilioSettings & Pick<CommonSettings, 'publicUrl'>): Channel {
  const unavailable = () => twilioUnavailable(settings.twilio, 'SMS');
  return makeChannel('sms', unavailable, async (content, address, signal) => {
    const { twilio } = settings;
    if (!twilio) return refused(unavailable() ?? '');
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

export const smsCode = {
  settings: TWILIO,
  build: smsChannel,
  method: phoneMethod,
  load: loadTwilio,
  callbacks: twilioCallbacks,
  mutable: true,
} satisfies ChannelCode;
