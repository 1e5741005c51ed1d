import type { MethodDescription } from '../description-contract.ts';

/** The contact method that SMS and voice calls share. */
export const phone = {
  type: 'phone',
  name: 'Phone',
  lacking: 'no verified phone',
  codeSent: 'We sent a code to it.',
  repair: 'Check the address',
  form: {
    label: 'Number',
    hint: 'With its country code',
    placeholder: '+49 30 1234567',
    keyboard: 'tel',
    example: 'a phone number such as "+49301234567"',
  },
  detail: null,
  signed: false,
  called: false,
  published: true,
  // Do not call or text anybody about anything but pages.
  notices: 'never',
  shown: (value) => value,
  hinted: (value) => value.replace(/^(\+\d{2})\d+(\d{4})$/, '$1 ••• $2'),
} as const satisfies MethodDescription;
