import { randomBytes } from 'node:crypto';
import { runOn } from './postgres.ts';

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
  await runOn(adminUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = name;
  return {
    url: url.href,
    drop: async () => {
      await runOn(adminUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/**
 * The prefix is followed by the creation time in seconds, which shows the age of databases that a killed run left
 * behind.
 */
export const TEST_DATABASE_PREFIX = 'tocsin_test_';
