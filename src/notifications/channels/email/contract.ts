import { t } from '../../../language/contract.ts';
import type { ChannelDescription } from '../description-contract.ts';

export const email = {
  words: {
    get name() {
      return t('Email');
    },
    get short() {
      return t('email');
    },
    get way() {
      return t('by email');
    },
    get plural() {
      return t('Email');
    },
    get explained() {
      return t('Through an SMTP server.');
    },
    get test() {
      return t('Send a test');
    },
  },
  method: {
    type: 'email',
    get name() {
      return t('Email');
    },
    get lacking() {
      return t('no verified email address');
    },
    get codeSent() {
      return t('We sent an email with a code there.');
    },
    get repair() {
      return t('Check the address');
    },
    form: {
      get label() {
        return t('Address');
      },
      get hint() {
        return t('An address whose mail you read');
      },
      placeholder: 'ada@example.com',
      keyboard: 'email',
      get example() {
        return t('an email address such as ada@example.com');
      },
    },
    detail: null,
    signed: false,
    called: false,
    published: true,
    notices: 'from the start',
    shown: (value: string) => value,
    hinted: (value: string) => value,
  },
  byDefault: { high: [0], medium: [0], low: [0] },
  onlyIfUrgent: false,
  mostPerMinute: 20,
  concurrency: 20,
  whenOver: 'message',
} as const satisfies ChannelDescription;
