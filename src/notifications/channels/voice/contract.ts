import { t } from '../../../language/contract.ts';
import type { ChannelDescription } from '../description-contract.ts';
import { phone } from '../phone/contract.ts';

export const voice = {
  words: {
    get name() {
      return t('Call');
    },
    get short() {
      return t('call');
    },
    get way() {
      return t('by phone call');
    },
    get answered() {
      return t('by phone');
    },
    get plural() {
      return t('Calls');
    },
    get explained() {
      return t('Through Twilio.');
    },
    get test() {
      return t('Call me as a test');
    },
    get codeInstead() {
      return t('Call me instead');
    },
  },
  aliases: ['phone', 'call'],
  method: phone,
  byDefault: { high: [2, 4, 6] },
  // Do not call people about a page that can wait.
  onlyIfUrgent: true,
  mostPerMinute: 1,
  concurrency: 20,
  whenOver: 'change',
} as const satisfies ChannelDescription;
