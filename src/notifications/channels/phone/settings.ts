import { readTogether, readUrl } from '../../../kit/setting.ts';
import type { ProviderSettings } from '../settings.ts';

/** `from` is a number in E.164 or a messaging service (`MG…`). `apiUrl` is an origin, with or without a path. */
export type Twilio = { accountSid: string; authToken: string; from: string; apiUrl: string };
export type TwilioSettings = { twilio: Twilio | null };

type Name = 'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN' | 'TWILIO_FROM' | 'TWILIO_API_URL';

export const TWILIO: ProviderSettings<Name, TwilioSettings> = {
  names: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM', 'TWILIO_API_URL'],
  read(read) {
    const given = readTogether(read, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM']);
    const twilio = given && {
      accountSid: given.TWILIO_ACCOUNT_SID,
      authToken: given.TWILIO_AUTH_TOKEN,
      from: given.TWILIO_FROM,
      apiUrl: readUrl('TWILIO_API_URL', read, ['http:', 'https:']) ?? 'https://api.twilio.com',
    };
    return { twilio };
  },
};
