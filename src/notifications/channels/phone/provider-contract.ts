import { t } from '../../../language/contract.ts';
import type { ProviderDescription } from '../provider-description-contract.ts';

/** The provider of SMS and phone calls. */
export const twilio = {
  words: {
    name: 'Twilio',
    get explained() {
      return t('For SMS and phone calls. The values are on the first page of the Twilio console.');
    },
  },
  fields: {
    account_sid: {
      get label() {
        return t('Account SID');
      },
      hint: null,
      placeholder: 'AC…',
      required: true,
      secret: false,
      choices: null,
      keyboard: 'text',
    },
    auth_token: {
      get label() {
        return t('Auth token');
      },
      hint: null,
      placeholder: '',
      required: true,
      secret: true,
      choices: null,
      keyboard: 'text',
    },
    from: {
      get label() {
        return t('Sender');
      },
      get hint() {
        return t(
          'A number of yours that can send SMS and make calls, or a messaging service (MG…) for SMS alone',
        );
      },
      placeholder: '+15005550006',
      required: true,
      secret: false,
      choices: null,
      keyboard: 'tel',
    },
  },
  callbacks: (base: string) => [
    {
      first: false,
      where: t(
        'To let people answer by SMS, open your number in the Twilio console. Under Messaging, set “A message comes in” to this webhook (HTTP POST):',
      ),
      value: `${base}/callbacks/twilio/sms`,
    },
  ],
} as const satisfies ProviderDescription;
