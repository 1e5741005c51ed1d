import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { PATIENCE_MS } from './patience.ts';

export interface TestDatabase {
  readonly url: string;
  /** Drops the database and closes its connections. */
  drop(): Promise<void>;
}

/** A database for one test file, migrated unless `template` names another one than `npm test` prepares. */
export async function testDatabase(template = process.env.TEST_DATABASE_TEMPLATE): Promise<TestDatabase> {
  const { TEST_DATABASE_URL: adminUrl } = process.env;
  if (!adminUrl || !template) {
    throw new Error(
      'TEST_DATABASE_URL is not set: run tests with npm test -- FILE, which starts a PostgreSQL for them',
    );
  }
  const name = `${TEST_DATABASE_PREFIX}${Math.floor(Date.now() / 1000)}_${randomBytes(4).toString('hex')}`;
  // Copying files takes half as long as logging each block.
  await admin(adminUrl).query(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = name;
  return {
    url: url.href,
    drop: async () => {
      await admin(adminUrl).query(`drop database if exists ${name} with (force)`);
    },
  };
}

const pools = new Map<string, pg.Pool>();

/**
 * The one connection with which this process makes and drops databases: connecting each time takes almost as much
 * processor time as the statement. It does not keep the process alive.
 */
function admin(url: string): pg.Pool {
  const known = pools.get(url);
  if (known) return known;
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: PATIENCE_MS,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // A server that stops ends the connection; the next statement connects again.
  pool.on('error', () => undefined);
  pools.set(url, pool);
  return pool;
}

/**
 * The prefix is followed by the creation time in seconds, which shows the age of databases that a killed run left
 * behind.
 */
export const TEST_DATABASE_PREFIX = 'tocsin_test_';
