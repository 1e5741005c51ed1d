import { ConfigError, type Read, readTogether, readUrl } from './reading.ts';

/** Who takes notifications over; null: not set up. */
export type Providers = {
  smtp: { url: string; from: string } | null;
  twilio: { accountSid: string; authToken: string; from: string; apiUrl: string } | null;
  slack: { botToken: string; signingSecret: string; apiUrl: string } | null;
  vapid: { publicKey: string; privateKey: string; subject: string } | null;
};

export const PROVIDER_NAMES = [
  'SMTP_URL',
  'SMTP_FROM',
  'TWILIO_ACCOUNT_SID',
  'TWILIO_AUTH_TOKEN',
  'TWILIO_FROM',
  'TWILIO_API_URL',
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_API_URL',
  'VAPID_PUBLIC_KEY',
  'VAPID_PRIVATE_KEY',
  'VAPID_SUBJECT',
] as const;
type Name = (typeof PROVIDER_NAMES)[number];

export function readProviders(read: Read<Name>): Providers {
  const smtp = readTogether(read, ['SMTP_URL', 'SMTP_FROM']);
  const twilio = readTogether(read, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM']);
  const slack = readTogether(read, ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET']);
  const vapid = readTogether(read, ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY']);
  if (smtp) readUrl('SMTP_URL', read, ['smtp:', 'smtps:']);
  if (smtp) checkSender(smtp.SMTP_FROM);
  if (vapid) checkPushKeys(vapid);
  return {
    smtp: smtp && { url: smtp.SMTP_URL, from: smtp.SMTP_FROM },
    twilio: twilio && {
      accountSid: twilio.TWILIO_ACCOUNT_SID,
      authToken: twilio.TWILIO_AUTH_TOKEN,
      from: twilio.TWILIO_FROM,
      apiUrl: readUrl('TWILIO_API_URL', read, ['http:', 'https:']) ?? 'https://api.twilio.com',
    },
    slack: slack && {
      botToken: slack.SLACK_BOT_TOKEN,
      signingSecret: slack.SLACK_SIGNING_SECRET,
      apiUrl: readUrl('SLACK_API_URL', read, ['http:', 'https:']) ?? 'https://slack.com/api/',
    },
    vapid: vapid && {
      publicKey: vapid.VAPID_PUBLIC_KEY,
      privateKey: vapid.VAPID_PRIVATE_KEY,
      subject: readSubject(read) ?? 'mailto:operator@localhost',
    },
  };
}

function checkSender(text: string): void {
  if (/^\s*(?:[^<>\r\n]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)\s*$/.test(text)) return;
  throw new ConfigError('SMTP_FROM is not an email address; give one such as "Tocsin <tocsin@example.com>"');
}

/** A point and a number on the curve P-256, in bytes. */
const PUSH_KEY_BYTES = { VAPID_PUBLIC_KEY: 65, VAPID_PRIVATE_KEY: 32 } as const;

function checkPushKeys(keys: Record<keyof typeof PUSH_KEY_BYTES, string>): void {
  for (const name of ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'] as const)
    if (!/^[\w-]+$/.test(keys[name]) || Buffer.from(keys[name], 'base64url').length !== PUSH_KEY_BYTES[name])
      throw new ConfigError(
        `${name} is not a key of Web Push; give ${PUSH_KEY_BYTES[name]} bytes in URL-safe base64, or remove both keys to have them made`,
      );
}

/** Push services want to know whom to write to. */
function readSubject(read: Read<Name>): string | null {
  const text = read('VAPID_SUBJECT');
  if (text === null || /^(mailto:.+|https:\/\/.+)/.test(text)) return text;
  throw new ConfigError(
    'VAPID_SUBJECT must be a mailto: address or an https: URL that names who runs this service',
  );
}
