import { t } from '../../../language/contract.ts';
import type { ChannelDescription } from '../description-contract.ts';

export const webhook = {
  words: {
    get name() {
      return t('Webhook');
    },
    get short() {
      return t('webhook');
    },
    get way() {
      return t('by webhook');
    },
    get plural() {
      return t('Webhooks');
    },
    get explained() {
      return t('A signed POST to a URL of the person.');
    },
    get test() {
      return t('Send a test');
    },
  },
  method: {
    type: 'webhook',
    get name() {
      return t('Webhook');
    },
    get lacking() {
      return t('no verified webhook');
    },
    get codeSent() {
      return t('We called it with a code, in the field "code" of the body.');
    },
    get repair() {
      return t('Fix the receiver of this webhook');
    },
    form: {
      get label() {
        return t('URL');
      },
      get hint() {
        return t('Gets a signed JSON POST for each page');
      },
      placeholder: 'https://example.com/pages',
      keyboard: 'url',
      get example() {
        return t('an http or https URL');
      },
    },
    detail: null,
    signed: true,
    called: true,
    published: false,
    // Programs get only pages, unless the owner enables notices in the dashboard.
    notices: 'if wanted',
    shown: (value: string) => value,
    hinted: (value: string) => URL.parse(value)?.host ?? '…',
  },
  byDefault: { high: [0], medium: [0], low: [0] },
  onlyIfUrgent: false,
  mostPerMinute: null,
  concurrency: 200,
  whenOver: 'message',
} as const satisfies ChannelDescription;
