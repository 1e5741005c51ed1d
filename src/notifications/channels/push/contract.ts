import type { ChannelDescription } from '../description-contract.ts';

export const push = {
  words: {
    name: 'Push',
    short: 'push',
    way: 'by push',
    answered: 'from the push notification',
    plural: 'Push',
    explained: 'To phones and browsers that have the dashboard installed.',
    test: 'Send a test',
  },
  method: {
    type: 'push',
    name: 'Push',
    lacking: 'no browser with push switched on',
    codeSent: 'We sent a code to it.',
    repair: 'Check the address',
    form: null,
    detail: null,
    signed: false,
    called: false,
    published: false,
    notices: 'from the start',
    // The address is a secret between the browser and us, and meaningless to people.
    shown: (value: string) => URL.parse(value)?.host ?? 'push service',
    hinted: (value: string) => URL.parse(value)?.host ?? '…',
  },
  byDefault: { high: [0], medium: [0] },
  onlyIfUrgent: false,
  mostPerMinute: 20,
  concurrency: 50,
  whenOver: 'change',
} as const satisfies ChannelDescription;
