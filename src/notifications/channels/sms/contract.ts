import type { ChannelDescription } from '../description-contract.ts';
import { phone } from '../phone/contract.ts';

export const sms = {
  words: {
    name: 'SMS',
    short: 'SMS',
    way: 'by SMS',
    plural: 'SMS',
    explained: 'Through Twilio.',
    test: 'Send a test SMS',
  },
  method: phone,
  byDefault: { high: [0], medium: [5] },
  onlyIfUrgent: false,
  mostPerMinute: 5,
  concurrency: 20,
  whenOver: 'message',
} as const satisfies ChannelDescription;
