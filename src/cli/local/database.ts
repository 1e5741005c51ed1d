import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { withEmbeddedPostgres } from '../../../packages/embedded-postgres/visit.ts';
import { type Config, readConfig } from '../../config.ts';
import { nameOf, readAddress } from '../../db/address.ts';
import { isDatabaseAway } from '../../db/away.ts';
import { type Clock, databaseClock } from '../../db/clock.ts';
import { createDatabase, createPool, type Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import type { Connections } from '../../db/pooler.ts';
import { openInstallation } from '../../installation/secrets.ts';
import { errorText } from '../../kit/error-text.ts';
import type { Sealing } from '../../kit/sealing.ts';
import { tlsTrouble } from '../../kit/tls-trouble.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';

/** Services for commands that use the database directly. */
export type Local = {
  config: Readonly<Config>;
  db: Database;
  clock: Clock;
  /** The service's key, which is created for a new database. */
  openSealing(): Promise<Sealing>;
};

/** Planning a large organization for two years takes long. */
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Lets a command use the database of `DATABASE_URL` or the embedded one. The embedded one is that of the running
 * server, or is started temporarily. The schema is migrated first. `mayCreate`: the command may create the embedded one.
 */
export async function withLocal<T>(
  session: Session,
  work: (local: Local) => Promise<T>,
  { mayCreate = false } = {},
): Promise<T> {
  const { env, output, progress, signal } = session;
  const config = readConfig(env);
  if (!mayCreate) demandDatabase(config);
  progress.step('Opening the database …');
  if (config.databaseUrl !== null) {
    const connection = { connectionString: config.databaseUrl };
    const direct = config.databaseDirectUrl ? { connectionString: config.databaseDirectUrl } : null;
    return withConnection(config, { connection, direct }, work).catch((error: unknown) => {
      throw explainAway(config.databaseUrl ?? '', error);
    });
  }
  const log = { info: progress.step, warn: output.note };
  return withEmbeddedPostgres(
    config.dataDir,
    async (embedded) => {
      const connection = { ...embedded };
      const { snapshotBeforeUpgrade } = await import('../../installation/snapshot.ts');
      await snapshotBeforeUpgrade(connection, config, log, signal);
      return withConnection(config, { connection, direct: null }, work);
    },
    { log, signal },
  );
}

/** A command that looks for something must not create a database in a directory that was named by mistake. @throws Refusal */
export function demandDatabase({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): void {
  if (databaseUrl !== null || mayExist(join(dataDir, 'postgres'))) return;
  throw new Refusal(
    `There is no database in DATA_DIR ${dataDir}; set DATA_DIR or DATABASE_URL as for the server.`,
  );
}

/** True for a link that leads nowhere and a directory that cannot be read, too: opening them explains what is wrong. */
function mayExist(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

async function withConnection<T>(
  config: Readonly<Config>,
  { connection, direct }: Connections,
  work: (local: Local) => Promise<T>,
): Promise<T> {
  await migrate(direct ?? connection);
  const pool = createPool({
    connection,
    pooled: direct !== null,
    max: 2,
    name: 'tocsin command',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  const db = createDatabase(pool);
  const clock = databaseClock;
  try {
    return await work({ config, db, clock, openSealing: () => openInstallation(db, clock, config) });
  } finally {
    await db.destroy();
  }
}

/** Explains that the database cannot be reached or refuses us, with the fix. */
export function explainAway(url: string, error: unknown): unknown {
  if (!(error instanceof Error) || !(isDatabaseAway(error) || isRefused(error))) return error;
  const names = readAddress(url).hosts.map(nameOf).join(', ');
  const trouble = tlsTrouble(error, 'its server');
  if (trouble) return new Refusal(`The database at ${names} cannot be used: ${trouble}.`);
  return new Refusal(
    `The database at ${names} cannot be used (${errorText(error)}); check DATABASE_URL, and that the database runs.`,
  );
}

/** Wrong password, unknown user or unknown database: PostgreSQL's classes 28 and 3D. */
function isRefused(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && /^(28|3D)/.test(code);
}
