import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { forgetLost, KeyFault, type LostSecret, listLost, rotateSecrets } from '../../installation/rotate.ts';
import {
  adoptNextKey,
  makeSealing,
  newSecretKey,
  readSealing,
  sealingOf,
  writeNextKey,
} from '../../installation/secrets.ts';
import { readMark, type SealedKind } from '../../installation/store.ts';
import { errorText } from '../../kit/error-text.ts';
import { resealSavedList } from '../../schedules/saved/file.ts';
import { receiverAddress } from '../../worker/synthetic/receiver.ts';
import { table } from '../output.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { type Local, withLocal } from './database.ts';

/** Encrypts all secrets with a new secret key, and stores the key where the server reads it. */
export async function rotateSecret(session: Session, file: string | null): Promise<void> {
  const { output } = session;
  const done = await withLocal(session, async (local) => {
    const old = await local.openSealing();
    const fromOutside = local.config.secretKey !== null;
    if (fromOutside !== (file !== null)) throw fromOutside ? fileNeeded() : fileNotNeeded();
    const key = file === null ? newSecretKey() : readOrMakeKey(resolve(file));
    if (key === local.config.secretKey) throw sameKey(file ?? '');
    if (file === null) await writeNextKey(local.config.dataDir, key);
    const sealed = await rotateSecrets({ ...local, receiverOf: receiverAddress }, old, sealingOf(key)).catch(
      asRefusal,
    );
    if (file === null) await adoptNextKey(local.config.dataDir);
    await resealSavedList(local.config.dataDir, old, sealingOf(key)).catch((error: unknown) =>
      output.note(
        `The saved on-call list keeps its old seal until a server saves it again (${errorText(error)}).`,
      ),
    );
    return { sealed, place: file === null ? `${local.config.dataDir}/secret.key` : resolve(file) };
  });
  output.result(`${done.sealed} values are sealed with the new key in ${done.place}.`, done);
  if (file !== null)
    output.note(
      `Now set SECRET_KEY on every node to the content of ${done.place} (or SECRET_KEY_FILE to that file).`,
    );
  output.note(
    'Everybody has to sign in again, and links in earlier messages no longer work. Make a new backup: older ones need the old key. If the old key leaked together with the database or a backup, also renew what it sealed: URLs and signing secrets of webhooks, second factors.',
  );
}

/** Lists the secrets that the key cannot decrypt; with `clear`, removes them. */
export async function forgetSecrets(session: Session, clear: boolean): Promise<void> {
  const { output } = session;
  const lost = await withLocal(session, (local) => (clear ? clearLost(local) : findLost(local)));
  const rows = lost.map(({ kind, name }) => [MEANING[kind].what, name, MEANING[kind].result]);
  if (lost.length > 0) output.note(table(rows));
  if (clear)
    output.result(lost.length === 1 ? 'One value was given up.' : `${lost.length} values were given up.`, {
      cleared: true,
      lost,
    });
  else
    output.result(
      lost.length === 0
        ? 'Nothing is lost: the secret key opens everything.'
        : `${lost.length === 1 ? 'One value' : `${lost.length} values`} cannot be opened. If the key is lost for good, give them up with: tocsin secret forget --clear`,
      { cleared: false, lost },
    );
}

async function findLost({ db, config }: Local): Promise<LostSecret[]> {
  return listLost(db, await readSealing(config, await readMark(db)));
}

async function clearLost({ db, clock, config }: Local): Promise<LostSecret[]> {
  const sealing = (await readSealing(config, await readMark(db))) ?? (await makeSealing(config));
  return forgetLost({ db, clock, receiverOf: receiverAddress }, sealing).catch(asRefusal);
}

const MEANING: Record<SealedKind, { what: string; result: string }> = {
  webhook_url: {
    what: 'URL of webhook',
    result: 'still works, but cannot be shown again; create a new URL if you need to see it',
  },
  webhook_secret: {
    what: 'signing secret of webhook',
    result: 'calls are refused until the secret is entered again',
  },
  contact_secret: {
    what: 'signing secret of the webhook of',
    result: 'is replaced; enter the new one at its receiver',
  },
  calendar_source: {
    what: 'address of calendar',
    result: 'is not read until its address is entered again',
  },
  calendar_feed: { what: 'calendar feed of', result: 'no longer works; subscribe to the new address' },
  invitation: { what: 'invitation of', result: 'no longer works; invite them again' },
  second_factor: {
    what: 'authenticator app of',
    result: 'is no longer required; they sign in with only their password until they set it up again',
  },
  source_pepper: {
    what: 'keys of page sources:',
    result: 'are no longer accepted; give each of these sources a new key and enter it at the sender',
  },
  provider: {
    what: 'provider',
    result: 'is no longer set up; enter its values again in the dashboard, under Settings, Channels',
  },
};

/** Reads a key from a file, which is created if missing and readable only by its owner. */
function readOrMakeKey(path: string): string {
  try {
    if (!existsSync(path))
      writeFileSync(path, `${newSecretKey()}\n`, { mode: 0o600, flag: 'wx', flush: true });
    const key = readFileSync(path, 'utf8').trim();
    if (Buffer.from(key, 'base64').length === 32) return key;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(`--new-key-file names ${path}, which cannot be used (${code}); correct the path.`);
  }
  throw new Refusal(
    `${path} does not hold 32 bytes in base64; make them with openssl rand -base64 32, or name a file that does not exist yet.`,
  );
}

function fileNeeded(): Refusal {
  return new Refusal(
    'SECRET_KEY is set from outside, where this command cannot change it: add --new-key-file FILE. The new key is read from that file, or made into it, and SECRET_KEY has to be set to it afterwards.',
  );
}

function fileNotNeeded(): Refusal {
  return new Refusal(
    '--new-key-file is for installations with SECRET_KEY; this one keeps its key in DATA_DIR, where the new one goes by itself.',
  );
}

function sameKey(file: string): Refusal {
  return new Refusal(`${file} holds the key that is in use; name a file that does not exist yet.`);
}

function asRefusal(error: unknown): never {
  throw error instanceof KeyFault ? new Refusal(error.message) : error;
}
