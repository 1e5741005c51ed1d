import { dirname } from 'node:path';
import type { ClientConfig } from 'pg';
import { giveToOwner } from '../../packages/embedded-postgres/home.ts';
import type { Config } from '../config.ts';
import { snapshotBeforeMigrations } from '../db/backup/snapshot.ts';
import type { AboutBackup } from '../db/backup/write.ts';
import { VERSION } from '../kit/version.ts';
import { readServiceKeys, type ServiceKeys } from './key-parcel.ts';
import { markOf, sealingOf } from './secrets.ts';

type SnapshotLog = { info(sentence: string): void; warn(sentence: string): void };

/**
 * Writes a snapshot of the embedded database if this release is about to migrate it. Everything that migrates the
 * embedded database calls this first.
 */
export async function snapshotBeforeUpgrade(
  connection: ClientConfig,
  config: Pick<Config, 'dataDir' | 'leastFreeMb' | 'secretKey' | 'vapid'>,
  log: SnapshotLog,
  signal?: AbortSignal,
): Promise<void> {
  const { dataDir, leastFreeMb } = config;
  const keys = await readServiceKeys(config);
  const signer = keys && signerWith(keys);
  const options = { dataDir, leastFreeMb, version: VERSION, signer, log, signal };
  const path = await snapshotBeforeMigrations(connection, options);
  if (path === null) return;
  giveToOwner(dirname(path));
  giveToOwner(path);
}

/** Authenticates backups with the secret key of the service. */
export function signerWith({ secretKey }: ServiceKeys): AboutBackup['signer'] {
  const sealing = sealingOf(secretKey);
  return { sealing, mark: markOf(sealing) };
}
