import { resolve } from 'node:path';
import type { ClientConfig } from 'pg';
import { type Config, readConfig } from '../../config.ts';
import { type Header, readHeader } from '../../db/backup/contents.ts';
import { type Restored, restoreBackup } from '../../db/backup/restore.ts';
import {
  type DraftedKeys,
  draftServiceKeys,
  openKeys,
  readServiceKeys,
  type ServiceKeys,
} from '../../installation/key-parcel.ts';
import { INSTALLATION_MARK, sealingOf } from '../../installation/secrets.ts';
import { errorText } from '../../kit/error-text.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { asRefusal } from './backup.ts';
import { withBareDatabase } from './connection.ts';
import { readPassphrase } from './passphrase.ts';
import { UNVERIFIED_OPTION } from './unverified.ts';

export type RestoreChoices = {
  replace: boolean;
  /** Accepts a backup without authentication, and from any secret key. */
  unverified: boolean;
  passphraseFile?: string;
};

/** Restores a backup into the database and prints what to do next. */
export async function restore(session: Session, file: string, choices: RestoreChoices): Promise<void> {
  const { output, progress } = session;
  const path = resolve(file);
  const passphrase = readPassphrase(choices.passphraseFile);
  progress.step('Reading the backup …');
  const header = await readHeader(path).catch(asRefusal);
  const config = readConfig(session.env);
  const keys = await chooseKeys(config, header, passphrase, choices.unverified);
  if (!choices.unverified) refuseUnsigned(path, config, header, keys);
  const restored = await withBareDatabase(session, (connection) => {
    progress.step('Restoring …');
    return put(connection, { config, path, keys, ...choices });
  }).catch(asRefusal);
  const { rows, openPages, migrated } = restored;
  output.result(`${rows} rows of ${header.madeAt} were restored.`, {
    file: path,
    made_at: header.madeAt,
    rows,
    open_pages: openPages,
    migrated,
  });
  if (choices.unverified)
    output.note(
      'The origin of this backup could not be verified: check its owners, API keys and webhooks before anybody relies on it.',
    );
  if (restored.needsForgetting)
    output.note(
      'The secret key here is not the one of the backup, so the server will not start: run "tocsin secret forget" to list and clear the values that only the lost key could decrypt.',
    );
  if (openPages > 0)
    output.note(
      `${openPages === 1 ? 'A page was' : `${openPages} pages were`} notifying when the backup was made, and will continue as soon as a server runs.`,
    );
}

type Order = {
  config: Readonly<Config>;
  path: string;
  /** Null: they are lost. */
  keys: ServiceKeys | null;
  replace: boolean;
  unverified: boolean;
};

async function put(connection: ClientConfig, order: Order): Promise<Restored & { needsForgetting: boolean }> {
  const { config, path, keys, replace, unverified } = order;
  const sealing = keys && sealingOf(keys.secretKey);
  let needsForgetting = false;
  const checkKey = (mark: string) => {
    needsForgetting = mark !== '' && !sealing?.verify(...INSTALLATION_MARK, mark);
    if (needsForgetting && !unverified) throw wrongKey(config);
  };
  const drafted = keys && (await draftKeys(config, keys));
  const restored = await restoreBackup(connection, path, {
    replace,
    sealing: unverified ? null : sealing,
    checkKey,
  }).catch(async (error: unknown) => {
    await drafted?.discard();
    throw error;
  });
  await drafted?.putInPlace();
  return { ...restored, needsForgetting };
}

/** Before the database is changed, because without its keys it would be useless. */
function draftKeys(config: Readonly<Config>, keys: ServiceKeys): Promise<DraftedKeys> {
  return draftServiceKeys(config, keys).catch((error: unknown) => {
    throw new Refusal(
      `The keys cannot be written into DATA_DIR ${config.dataDir}, so nothing was restored: ${errorText(error)}. Make it writable for this user, and run the command again.`,
    );
  });
}

/** Explains why a backup will be refused, as far as its first line shows. */
function refuseUnsigned(
  path: string,
  config: Readonly<Config>,
  header: Header,
  keys: ServiceKeys | null,
): void {
  if (header.signedBy === undefined)
    throw new Refusal(
      `${path} carries no proof that Tocsin wrote it: an older release wrote it, or its secret key was not at hand, or somebody made it up. If you know where it has been, restore it with ${UNVERIFIED_OPTION}.`,
    );
  if (!keys || !sealingOf(keys.secretKey).verify(...INSTALLATION_MARK, header.signedBy))
    throw wrongKey(config);
}

/** The keys in the backup if it has them and they can be decrypted, otherwise those of this installation. */
async function chooseKeys(
  config: Readonly<Config>,
  header: Header,
  passphrase: string | null,
  unverified: boolean,
): Promise<ServiceKeys | null> {
  if (passphrase !== null && header.keys === null)
    throw new Refusal('This backup holds no keys; leave out --passphrase-file and give it its secret.key.');
  if (passphrase !== null && header.keys !== null) {
    const keys = openKeys(header.keys, passphrase);
    if (config.secretKey && config.secretKey !== keys.secretKey)
      throw new Refusal(
        'SECRET_KEY is not the key in this backup; unset it, or set it to the one of the backup.',
      );
    return keys;
  }
  const keys = await readServiceKeys(config);
  if (keys || unverified) return keys;
  throw new Refusal(
    header.keys === null
      ? `The secret key of this backup is missing: set SECRET_KEY, or copy secret.key (and vapid.json) into DATA_DIR ${config.dataDir}. If it is lost, see ${UNVERIFIED_OPTION} in tocsin restore --help.`
      : 'The keys in this backup are sealed; add --passphrase-file with the passphrase that it was made with.',
  );
}

function wrongKey(config: Readonly<Config>): Refusal {
  const place = config.secretKey ? 'SECRET_KEY' : `${config.dataDir}/secret.key`;
  return new Refusal(
    `${place} is not the key of this backup, so nothing was restored; put the backup's key there, or add --passphrase-file if the backup holds it. If that key is lost, see ${UNVERIFIED_OPTION} in tocsin restore --help.`,
  );
}
