import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Handle } from '../db/database.ts';
import type { Sealing } from '../kit/sealing.ts';
import { t } from '../language/contract.ts';
import { type Dialect, HEARTBEAT } from './contract.ts';
import { claimPepper, readPepper } from './store.ts';

/** The characters of a key that are kept as they are, so that people can tell their keys apart. */
const SHOWN = 4;

type KeyForm = {
  make(): string;
  fits: RegExp;
  /** The required form of a key from another system. */
  hint: () => string;
};

const ANY_KEY = {
  // It is part of a path or of a query in these dialects.
  fits: /^[A-Za-z0-9._~-]{16,200}$/,
  hint: () =>
    t('the key as the old system shows it: 16 to 200 letters, digits, dots, dashes and underscores'),
};
const uuidKey = { make: () => randomUUID(), ...ANY_KEY };

/** New keys have the form that the senders of each dialect expect. */
const FORMS: Record<Dialect, KeyForm> = {
  'pagerduty-events': {
    make: () => randomBytes(16).toString('hex'),
    fits: /^[A-Za-z0-9]{32}$/,
    hint: () => t('the integration key from PagerDuty, of 32 letters and digits'),
  },
  'opsgenie-api': {
    make: () => randomUUID(),
    fits: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    hint: () => t('the API key as Opsgenie shows it, such as 01234567-89ab-cdef-0123-456789abcdef'),
  },
  'grafana-oncall': { make: () => randomBytes(20).toString('hex'), ...ANY_KEY },
  goalert: uuidKey,
  victorops: uuidKey,
};

export function makeKey(dialect: Dialect): string {
  return FORMS[dialect].make();
}

/** GoAlert identifies its heartbeat monitors by their ids. A heartbeat can answer to one besides its URL. */
const MONITOR: Omit<KeyForm, 'make'> = {
  fits: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  hint: () =>
    t('the id in the URL of a heartbeat monitor of GoAlert, such as 01234567-89ab-cdef-0123-456789abcdef'),
};

/** The problem with registering a key from another system; null if there is none. */
export function keyProblem(type: Dialect | typeof HEARTBEAT, key: string): string | null {
  const { fits, hint } = type === HEARTBEAT ? MONITOR : FORMS[type];
  // The key itself would stay in the terminal's history or a build log.
  return fits.test(key)
    ? null
    : t('does not have the format of a key of {type}; give {hint}', { type, hint: hint() });
}

export function lastCharacters(key: string): string {
  return key.slice(-SHOWN);
}

/**
 * Keys are stored as HMAC-SHA256 with a secret of the installation, the pepper, which is encrypted with the secret key.
 * A new secret key does not change the pepper and so not the hashes, which could not be computed again because the keys
 * are not kept.
 */
function hashed(pepper: Buffer, key: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

/** The hash under which a key is stored. The first call makes the pepper of the installation. */
export async function hashOfNewKey(db: Handle, sealing: Sealing, key: string): Promise<Buffer> {
  const sealed = await claimPepper(db, sealing.seal(randomBytes(32).toString('base64')));
  return hashed(opened(sealing, sealed), key);
}

/**
 * Hashes keys that senders present. Null while the installation has no pepper, because then there are no keys either.
 */
export type HashKey = (key: string) => Promise<Buffer | null>;

export function createHashKey(db: Handle, sealing: Sealing): HashKey {
  // It does not change while servers run: `tocsin secret` refuses to replace it before they are stopped.
  let pepper: Buffer | null = null;
  return async (key) => {
    if (!pepper) {
      const sealed = await readPepper(db);
      pepper = sealed && opened(sealing, sealed);
    }
    return pepper && hashed(pepper, key);
  };
}

function opened(sealing: Sealing, sealed: Buffer): Buffer {
  return Buffer.from(sealing.open(sealed), 'base64');
}
