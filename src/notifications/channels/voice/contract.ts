import type { ChannelDescription } from '../description-contract.ts';
import { phone } from '../phone/contract.ts';

export const voice = {
  words: {
    name: 'Call',
    short: 'call',
    way: 'by phone call',
    answered: 'by phone',
    plural: 'Calls',
    explained: 'Through Twilio.',
    test: 'Call me for a test',
    codeInstead: 'Call me instead',
  },
  aliases: ['phone', 'call'],
  method: phone,
  byDefault: { high: [2, 4, 6] },
  // Do not call anybody about a page that can wait.
  onlyIfUrgent: true,
  mostPerMinute: 1,
  concurrency: 20,
  whenOver: 'change',
} as const satisfies ChannelDescription;
