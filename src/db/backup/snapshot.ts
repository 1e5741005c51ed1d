import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { freeMbOf } from '../../kit/free-space.ts';
import { missingMigrations } from '../migrate.ts';
import { type AboutBackup, connectForBackup, writeBackup } from './write.ts';

/** The service pages nobody while it waits for the snapshot. */
const SNAPSHOT_MS = 120_000;
/** Older ones are removed. */
const KEPT = 3;
const NAME = /^before-\S+\.backup$/;

export type SnapshotRoom = { databaseMb: number; freeMb: number | null; enough: boolean };

/**
 * Whether the disk of `dataDir` has room for a snapshot. A snapshot is compressed, and hardly ever larger than a third
 * of the database, but the whole size is required, so that PostgreSQL never runs out of space because of it.
 */
export async function measureSnapshotRoom(
  connection: ClientConfig,
  dataDir: string,
  leastFreeMb: number,
): Promise<SnapshotRoom> {
  const client = await connectForBackup(connection);
  try {
    const { rows } = await client.query<{ bytes: string }>(
      'select pg_database_size(current_database()) as bytes',
    );
    const databaseMb = Number(rows[0]?.bytes ?? 0) / 1024 ** 2;
    const freeMb = await freeMbOf(dataDir);
    return { databaseMb, freeMb, enough: freeMb === null || freeMb - databaseMb >= leastFreeMb };
  } finally {
    await client.end();
  }
}

export type SnapshotOptions = Omit<AboutBackup, 'keys' | 'madeAt'> & {
  dataDir: string;
  /** MiB that stay free. */
  leastFreeMb: number;
  log: { info(sentence: string): void; warn(sentence: string): void };
  signal?: AbortSignal | undefined;
  /** How long it may take, `SNAPSHOT_MS` by default. */
  withinMs?: number;
};

/**
 * Writes a backup of the embedded database to `snapshots` in DATA_DIR if migrations are missing. An upgrade does not
 * fail without a snapshot, because migrations only add, and a service that does not start pages nobody. The log gives
 * the reason. Returns the path of the snapshot.
 */
export async function snapshotBeforeMigrations(
  connection: ClientConfig,
  options: SnapshotOptions,
): Promise<string | null> {
  const { newest, atStart } = await missingMigrations(connection);
  if (newest === null || atStart.length === 0) return null;
  const { dataDir, version, signer, log, signal } = options;
  const room = await measureSnapshotRoom(connection, dataDir, options.leastFreeMb);
  if (!room.enough) {
    log.warn(`No snapshot was made before the upgrade: ${shortage(room, options.leastFreeMb)}.`);
    return null;
  }
  const folder = join(dataDir, 'snapshots');
  // The newest migration is part of the name: a start after a broken upgrade must not replace the snapshot made before it.
  const path = join(folder, `before-${version}-at-${newest.slice(0, 4)}.backup`);
  const within = AbortSignal.timeout(options.withinMs ?? SNAPSHOT_MS);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    log.info(`Writing a snapshot of the database to ${path} before the upgrade …`);
    const madeAt = Temporal.Now.instant().round('millisecond').toString();
    const bound = signal ? AbortSignal.any([signal, within]) : within;
    await writeBackup(connection, path, { version, madeAt, keys: null, signer }, bound);
    await removeOldest(folder);
    return path;
  } catch (error) {
    signal?.throwIfAborted();
    const why = within.aborted ? 'it took too long' : (error as Error).message.replace(/\.$/, '');
    log.warn(`No snapshot was made before the upgrade: ${why}.`);
    return null;
  }
}

function shortage({ databaseMb, freeMb }: SnapshotRoom, leastFreeMb: number): string {
  const needed = Math.ceil(databaseMb + leastFreeMb);
  return `${Math.floor(freeMb ?? 0)} MiB are free in DATA_DIR, and ${needed} MiB are needed`;
}

async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  );
  const old = dated.sort((a, b) => b.at - a.at).slice(KEPT);
  await Promise.all(old.map(({ name }) => rm(join(folder, name))));
}
