import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '../../config.ts';
import { BackupFault } from '../../db/backup/contents.ts';
import { writeBackup } from '../../db/backup/write.ts';
import { readServiceKeys, sealKeys } from '../../installation/key-parcel.ts';
import { signerWith } from '../../installation/snapshot.ts';
import { VERSION } from '../../kit/version.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { withBareDatabase } from './connection.ts';
import { demandDatabase } from './database.ts';
import { readPassphrase } from './passphrase.ts';
import { UNVERIFIED_OPTION } from './unverified.ts';

export type BackupOptions = { passphraseFile?: string };

/** Writes a backup of the database, even while the server runs, and prints what it contains. */
export async function backup(session: Session, file: string, options: BackupOptions): Promise<void> {
  const { output, progress, env, signal } = session;
  const passphrase = readPassphrase(options.passphraseFile);
  const path = resolve(file);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new Refusal(
      `${path} is a folder; give the path of the file to write, such as ${path}/tocsin.backup.`,
    );
  const known = readConfig(env);
  demandDatabase(known);
  const { dataDir } = known;
  const madeAt = Temporal.Now.instant().round('millisecond').toString();
  const written = await withBareDatabase(session, async (connection, config) => {
    const keys = await readServiceKeys(config);
    if (passphrase !== null && !keys)
      throw new Refusal(
        `There is no secret.key in DATA_DIR ${dataDir}, and SECRET_KEY is not set; nothing to seal.`,
      );
    progress.step('Writing the backup …');
    const signer = keys && signerWith(keys);
    const sealed = keys && passphrase !== null ? sealKeys(keys, passphrase) : null;
    const about = { version: VERSION, madeAt, keys: sealed, signer };
    return { ...(await writeBackup(connection, path, about, signal)), authenticated: signer !== null };
  }).catch(asRefusal);
  const bytes = statSync(path).size;
  const report = { file: path, bytes, made_at: madeAt, keys: passphrase !== null, ...written };
  output.result(
    `${path}: ${written.rows} rows of ${written.tables} tables, ${(bytes / 1_000_000).toFixed(1)} MB`,
    report,
  );
  if (!written.authenticated)
    output.note(
      `It is not authenticated, because the secret key was not found: set SECRET_KEY or DATA_DIR as for the server. Restoring it takes ${UNVERIFIED_OPTION}.`,
    );
  else if (passphrase === null)
    output.note(
      `The service's keys are not in it: keep ${dataDir}/secret.key and vapid.json (or SECRET_KEY and VAPID_…) with it, or add --passphrase-file.`,
    );
}

/** Shows the message of a backup fault to the person who runs the command. */
export function asRefusal(error: unknown): never {
  throw error instanceof BackupFault ? new Refusal(error.message) : error;
}
