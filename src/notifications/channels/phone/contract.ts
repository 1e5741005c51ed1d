import { t, tIn } from '../../../language/contract.ts';
import type { MethodDescription } from '../description-contract.ts';

/** The contact method that SMS and voice calls share. */
export const phone = {
  type: 'phone',
  get name() {
    return t('Phone');
  },
  get lacking() {
    return t('no verified phone');
  },
  get codeSent() {
    return t('We sent a code there.');
  },
  get repair() {
    return t('Check the address');
  },
  form: {
    get label() {
      return tIn('a phone number', 'Number');
    },
    get hint() {
      return t('With its country code');
    },
    placeholder: '+49 30 1234567',
    keyboard: 'tel',
    get example() {
      return t('a phone number such as "+49301234567"');
    },
  },
  detail: null,
  signed: false,
  called: false,
  published: true,
  // Call and text people only about pages.
  notices: 'never',
  shown: (value) => value,
  hinted: (value) => value.replace(/^(\+\d{2})\d+(\d{4})$/, '$1 ••• $2'),
} as const satisfies MethodDescription;
