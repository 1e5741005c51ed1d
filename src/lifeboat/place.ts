import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { giveToOwner } from '../../packages/embedded-postgres/home.ts';
import type { EmbeddedLog } from '../../packages/embedded-postgres/running.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../packages/embedded-postgres/supervisor.ts';
import { endOrphanedPostgres } from '../../packages/embedded-postgres/visit.ts';
import { LIFEBOAT_PLACES } from '../config/lifeboat.ts';
import type { Log } from '../kit/log.ts';

/** It holds only the configuration and the pages of an outage, so it gets little memory. */
const SETTINGS = { shared_buffers: '32MB', max_wal_size: '256MB', max_connections: '60' };

/** The database of a lifeboat, and its directory. */
export type Place = EmbeddedPostgres & { directory: string };

/**
 * Runs the database of a lifeboat, in the first directory that no other process uses.
 * @throws EmbeddedPostgresFault
 */
export async function startPlace(dataDir: string, log: EmbeddedLog, signal: AbortSignal): Promise<Place> {
  let inUse: unknown;
  for (const name of LIFEBOAT_PLACES) {
    const directory = join(dataDir, name);
    // The owner of DATA_DIR runs all databases in it, so that root privileges can be dropped later.
    if (mkdirSync(directory, { recursive: true, mode: 0o700 })) giveToOwner(directory);
    try {
      const started = await startEmbeddedPostgres({ dataDir: directory, log, signal, settings: SETTINGS });
      return { ...started, directory };
    } catch (error) {
      if (!/already runs on DATA_DIR/.test((error as Error).message)) throw error;
      inUse = error;
    }
  }
  throw inUse;
}

/**
 * Stops each PostgreSQL of a lifeboat whose node was killed and has not come back with a lifeboat. Its pages stay on
 * the disk, and the next node that uses this lifeboat continues with them. Logs those that it cannot stop.
 */
export async function endOrphanedPlaces(dataDir: string, log: Log): Promise<void> {
  const directories = LIFEBOAT_PLACES.map((name) => join(dataDir, name));
  for (const directory of directories.filter((one) => existsSync(one)))
    try {
      if (await endOrphanedPostgres(directory))
        log.info({ directory }, 'ended the PostgreSQL of a lifeboat whose node was killed');
    } catch (error) {
      log.warn({ err: error, directory }, 'could not end the PostgreSQL of a lifeboat whose node was killed');
    }
}
