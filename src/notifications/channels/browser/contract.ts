import type { ChannelDescription } from '../description-contract.ts';

/** Open dashboards are notified at once, regardless of the notification rules (contract, section 6). */
export const browser = {
  words: {
    name: 'Open dashboard',
    short: 'dashboard',
    way: 'in the dashboard',
    plural: 'Open dashboards',
    explained: 'Rings in every browser that is signed in. Always there.',
    test: 'Send a test',
  },
  method: null,
  byDefault: {},
  onlyIfUrgent: false,
  mostPerMinute: null,
  concurrency: 200,
  whenOver: 'nothing',
} as const satisfies ChannelDescription;
