import { readTogether, readUrl } from '../../../kit/setting.ts';
import { t } from '../../../language/contract.ts';
import type { FieldFault, FormValues, ProviderSettings } from '../settings.ts';
import { checkTwilio } from './twilio-check.ts';

/** `from` is a number in E.164 or a messaging service (`MG…`). `apiUrl` is an origin, with or without a path. */
export type Twilio = { accountSid: string; authToken: string; from: string; apiUrl: string };
/** `twilioApiUrl`: where the API is, also if the environment does not set up Twilio. */
export type TwilioSettings = { twilio: Twilio | null; twilioApiUrl?: string };

type Name = 'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN' | 'TWILIO_FROM' | 'TWILIO_API_URL';

export const TWILIO: ProviderSettings<Name, TwilioSettings> = {
  names: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM', 'TWILIO_API_URL'],
  read(read) {
    const given = readTogether(read, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM']);
    const apiUrl = readUrl('TWILIO_API_URL', read, ['http:', 'https:']) ?? 'https://api.twilio.com';
    const twilio = given && {
      accountSid: given.TWILIO_ACCOUNT_SID,
      authToken: given.TWILIO_AUTH_TOKEN,
      ...{ from: given.TWILIO_FROM, apiUrl },
    };
    return { twilio, twilioApiUrl: apiUrl };
  },
  form: {
    provider: 'twilio',
    bound: ['account_sid'],
    faults,
    variables: ({ account_sid = '', auth_token = '', from = '' }) => ({
      TWILIO_ACCOUNT_SID: account_sid,
      TWILIO_AUTH_TOKEN: auth_token,
      TWILIO_FROM: from,
    }),
    entered: ({ twilio }, { twilioApiUrl = '' }) => ({
      twilio: twilio && { ...twilio, apiUrl: twilioApiUrl },
      twilioApiUrl,
    }),
    shown: ({ twilio }) => twilio && { account_sid: twilio.accountSid, from: twilio.from },
    check: checkTwilio,
  },
};

function faults({ account_sid = '', from = '' }: FormValues): FieldFault[] {
  const found: FieldFault[] = [];
  if (!/^AC[0-9a-f]{32}$/i.test(account_sid))
    found.push({
      field: 'account_sid',
      message: t('is not an account SID; copy the text of 34 characters that starts with AC'),
    });
  if (!/^\+[1-9]\d{6,14}$|^MG[0-9a-f]{32}$/i.test(from))
    found.push({
      field: 'from',
      message: t('is neither a phone number such as +15005550006 nor a messaging service (MG…)'),
    });
  return found;
}
