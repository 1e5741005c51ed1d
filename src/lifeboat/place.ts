import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { giveToOwner } from '../../packages/embedded-postgres/home.ts';
import type { EmbeddedLog } from '../../packages/embedded-postgres/running.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../packages/embedded-postgres/supervisor.ts';
import { LIFEBOAT_PLACES } from '../config/lifeboat.ts';

/** It holds the configuration and the pages of an outage, so it gets little memory. */
const SETTINGS = { shared_buffers: '32MB', max_wal_size: '256MB', max_connections: '60' };

/** The database of a lifeboat, and the directory in which it is. */
export type Place = EmbeddedPostgres & { directory: string };

/**
 * Runs the database of a lifeboat, in the first directory that no other process uses.
 * @throws EmbeddedPostgresFault
 */
export async function startPlace(dataDir: string, log: EmbeddedLog, signal: AbortSignal): Promise<Place> {
  let inUse: unknown;
  for (const name of LIFEBOAT_PLACES) {
    const directory = join(dataDir, name);
    // The owner of DATA_DIR runs all databases in it, so that root can be given up later.
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
