import { t } from '../../../language/contract.ts';
import type { ChannelDescription } from '../description-contract.ts';

export const push = {
  words: {
    get name() {
      return t('Push');
    },
    get short() {
      return t('push');
    },
    get way() {
      return t('by push');
    },
    get answered() {
      return t('from the push notification');
    },
    get plural() {
      return t('Push');
    },
    get explained() {
      return t('To phones and browsers that have the dashboard installed.');
    },
    get test() {
      return t('Send a test');
    },
  },
  method: {
    type: 'push',
    get name() {
      return t('Push');
    },
    get lacking() {
      return t('no browser with push enabled');
    },
    get codeSent() {
      return t('We sent a code there.');
    },
    get repair() {
      return t('Check the address');
    },
    form: null,
    detail: null,
    signed: false,
    called: false,
    published: false,
    notices: 'from the start',
    // The address is a secret between the browser and the service, and meaningless to people.
    shown: (value: string) => URL.parse(value)?.host ?? 'push service',
    hinted: (value: string) => URL.parse(value)?.host ?? '…',
  },
  byDefault: { high: [0], medium: [0] },
  onlyIfUrgent: false,
  mostPerMinute: 20,
  concurrency: 50,
  whenOver: 'change',
} as const satisfies ChannelDescription;
