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
    name: 'Email',
    lacking: 'no verified email address',
    codeSent: 'We sent a mail with a code to it.',
    repair: 'Check the address',
    form: {
      label: 'Address',
      hint: 'Of a mailbox that you read',
      placeholder: 'ada@example.com',
      keyboard: 'email',
      example: 'an email address such as ada@example.com',
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
