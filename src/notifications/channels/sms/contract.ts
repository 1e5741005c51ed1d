import { t } from '../../../language/contract.ts';
import type { ChannelDescription } from '../description-contract.ts';
import { phone } from '../phone/contract.ts';

export const sms = {
  words: {
    get name() {
      return t('SMS');
    },
    get short() {
      return t('SMS');
    },
    get way() {
      return t('by SMS');
    },
    get plural() {
      return t('SMS');
    },
    get explained() {
      return t('Through Twilio.');
    },
    get test() {
      return t('Send a test SMS');
    },
  },
  method: phone,
  byDefault: { high: [0], medium: [5] },
  onlyIfUrgent: false,
  mostPerMinute: 5,
  concurrency: 20,
  whenOver: 'message',
} as const satisfies ChannelDescription;
