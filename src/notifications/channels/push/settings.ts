import { ConfigError, type Read, readTogether } from '../../../kit/setting.ts';
import type { ProviderSettings } from '../settings.ts';

/** `subject` is a `mailto:` or `https:` URL; null if `VAPID_SUBJECT` is not set, and `openVapid` finds one. */
export type Vapid = { publicKey: string; privateKey: string; subject: string | null };
/** Null when not configured; a key pair is then generated at the first start. */
export type PushSettings = { vapid: Vapid | null };

type Name = 'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY' | 'VAPID_SUBJECT';

export const VAPID: ProviderSettings<Name, PushSettings> = {
  names: ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'],
  read(read) {
    const given = readTogether(read, ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY']);
    if (!given) return { vapid: null };
    checkPushKeys(given);
    const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = given;
    return { vapid: { publicKey, privateKey, subject: readSubject(read) } };
  },
};

/** Lengths in bytes of a point and a number on the curve P-256. */
const PUSH_KEY_BYTES = { VAPID_PUBLIC_KEY: 65, VAPID_PRIVATE_KEY: 32 } as const;

function checkPushKeys(keys: Record<keyof typeof PUSH_KEY_BYTES, string>): void {
  for (const name of ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'] as const)
    if (!/^[\w-]+$/.test(keys[name]) || Buffer.from(keys[name], 'base64url').length !== PUSH_KEY_BYTES[name])
      throw new ConfigError(
        `${name} is not a key of Web Push; give ${PUSH_KEY_BYTES[name]} bytes in URL-safe base64, or remove both keys to have them made`,
      );
}

/** Push services require a contact for the sender. */
function readSubject(read: Read<Name>): string | null {
  const text = read('VAPID_SUBJECT');
  if (text === null || /^(mailto:.+|https:\/\/.+)/.test(text)) return text;
  throw new ConfigError(
    'VAPID_SUBJECT must be a mailto: address or an https: URL that names who runs this service',
  );
}
