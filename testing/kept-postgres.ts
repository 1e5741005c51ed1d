import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { waitForLock } from '../packages/embedded-postgres/lock.ts';
import { TEST_DATABASE_PREFIX } from './database.ts';
import { runOn, startTestPostgres } from './postgres.ts';

/**
 * Returns the admin URL of a test PostgreSQL that outlives this run, so that the next one starts faster. All runs of
 * one user share it.
 */
export async function keptPostgres(): Promise<string> {
  const home = ownDirectory();
  const lock = await waitForLock(join(home, 'lock'), { waitMs: 60_000 });
  if (!lock)
    throw new Error(`another test run has been starting the database in ${home} for a minute; end it`);
  try {
    const running = readState(home);
    if (running && (await answers(running))) return running;
    rmSync(join(home, 'server'), { recursive: true, force: true });
    const server = await startTestPostgres(join(home, 'server'));
    server.process.unref();
    writeFileSync(join(home, 'url'), server.adminUrl, { mode: 0o600 });
    process.stderr.write(
      `Test database kept in ${home} (KEEP_TEST_DATABASE is set); it ends with: kill ${server.process.pid}\n`,
    );
    return server.adminUrl;
  } finally {
    lock.release();
  }
}

function ownDirectory(): string {
  const { uid } = userInfo();
  const home = join(tmpdir(), `tocsin-test-${uid}`);
  mkdirSync(home, { recursive: true, mode: 0o711 });
  const found = lstatSync(home);
  if (!found.isDirectory() || found.uid !== uid)
    throw new Error(`${home} belongs to somebody else; remove it`);
  chmodSync(home, 0o711);
  return home;
}

function readState(home: string): string | undefined {
  try {
    return readFileSync(join(home, 'url'), 'utf8');
  } catch {
    return undefined;
  }
}

async function answers(adminUrl: string): Promise<boolean> {
  try {
    await dropLeftovers(adminUrl);
    return true;
  } catch {
    return false;
  }
}

/** Drops databases that a killed run left behind. */
async function dropLeftovers(adminUrl: string): Promise<void> {
  const { rows } = await runOn(
    adminUrl,
    `select datname from pg_database where datname like '${TEST_DATABASE_PREFIX}%'`,
  );
  const hourAgo = Date.now() / 1000 - 3600;
  for (const { datname } of rows as { datname: string }[]) {
    const createdAt = Number(datname.slice(TEST_DATABASE_PREFIX.length).split('_')[0]);
    if (createdAt < hourAgo) await runOn(adminUrl, `drop database if exists ${datname} with (force)`);
  }
}
