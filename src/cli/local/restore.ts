import { resolve } from 'node:path';
import type { ClientConfig } from 'pg';
import { type Config, readConfig } from '../../config.ts';
import { checkBackup, type Header } from '../../db/backup/contents.ts';
import { type Restored, restoreBackup } from '../../db/backup/restore.ts';
import {
  openKeys,
  readServiceKeys,
  type ServiceKeys,
  writeServiceKeys,
} from '../../installation/key-parcel.ts';
import { INSTALLATION_MARK } from '../../installation/secrets.ts';
import { createSealing } from '../../kit/sealing.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { asRefusal } from './backup.ts';
import { withBareDatabase } from './connection.ts';
import { readPassphrase } from './passphrase.ts';

export type RestoreChoices = { replace: boolean; passphraseFile?: string };

/** Puts a backup into the database and tells what goes on now. */
export async function restore(session: Session, file: string, choices: RestoreChoices): Promise<void> {
  const { output, progress } = session;
  const path = resolve(file);
  const passphrase = readPassphrase(choices.passphraseFile);
  progress.step('Reading the backup …');
  const { header } = await checkBackup(path).catch(asRefusal);
  const config = readConfig(session.env);
  const keys = await chooseKeys(config, header, passphrase);
  const restored = await withBareDatabase(session, (connection) => {
    progress.step('Restoring …');
    return put(connection, config, path, keys, choices.replace);
  }).catch(asRefusal);
  const { rows, openPages, migrated } = restored;
  output.result(`${rows} rows of ${header.madeAt} are back.`, {
    file: path,
    made_at: header.madeAt,
    rows,
    open_pages: openPages,
    migrated,
  });
  if (openPages > 0)
    output.note(
      `${openPages === 1 ? 'A page was' : `${openPages} pages were`} notifying when the backup was made, and will go on as soon as a server runs.`,
    );
}

async function put(
  connection: ClientConfig,
  config: Readonly<Config>,
  path: string,
  keys: ServiceKeys,
  replace: boolean,
): Promise<Restored> {
  const sealing = createSealing(Buffer.from(keys.secretKey, 'base64'));
  const checkKey = (mark: string) => {
    if (mark !== '' && !sealing.verify(...INSTALLATION_MARK, mark)) throw wrongKey(config);
  };
  const restored = await restoreBackup(connection, path, { replace, checkKey });
  await writeServiceKeys(config, keys);
  return restored;
}

/** The backup's own keys where it has them and somebody can open them; else those of this installation. */
async function chooseKeys(
  config: Readonly<Config>,
  header: Header,
  passphrase: string | null,
): Promise<ServiceKeys> {
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
  if (keys) return keys;
  throw new Refusal(
    header.keys === null
      ? `The secret key of this backup is missing: set SECRET_KEY, or copy secret.key (and vapid.json) into DATA_DIR ${config.dataDir}.`
      : 'The keys in this backup are sealed; add --passphrase-file with the passphrase that it was made with.',
  );
}

function wrongKey(config: Readonly<Config>): Refusal {
  const place = config.secretKey ? 'SECRET_KEY' : `${config.dataDir}/secret.key`;
  return new Refusal(
    `${place} is not the key of this backup, so nothing was restored; put the backup's key there, or add --passphrase-file if the backup holds it.`,
  );
}
