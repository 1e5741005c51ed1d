import { t } from '../../../language/contract.ts';
import type { ChannelDescription } from '../description-contract.ts';

/** Open dashboards are notified at once, regardless of the notification rules (contract, section 6). */
export const browser = {
  words: {
    get name() {
      return t('Open dashboard');
    },
    get short() {
      return t('dashboard');
    },
    get way() {
      return t('in the dashboard');
    },
    get plural() {
      return t('Open dashboards');
    },
    get explained() {
      return t('Rings in every browser where the person is signed in. Always on.');
    },
    get test() {
      return t('Send a test');
    },
  },
  method: null,
  byDefault: {},
  onlyIfUrgent: false,
  mostPerMinute: null,
  concurrency: 200,
  whenOver: 'nothing',
} as const satisfies ChannelDescription;
