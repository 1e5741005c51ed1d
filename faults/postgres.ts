import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Account, postgresAccount } from '../packages/embedded-postgres/account.ts';
import { type Binaries, binariesFor } from '../packages/embedded-postgres/binaries.ts';
import { PASSWORD_FILE } from '../packages/embedded-postgres/connection.ts';
import type { TestDatabase } from '../testing/database.ts';
import { freePort } from '../testing/free-port.ts';
import { initialise, launch, runOn } from '../testing/postgres.ts';
import { type MadeByRelease, unpackRelease } from '../testing/stored-release.ts';
import { prepareTemplate } from '../testing/template.ts';

/** A durable PostgreSQL of the suite's own, which scenarios can kill and restart on the same port. */
export type MortalPostgres = {
  port: number;
  /** A new migrated database; with `empty`, one without a schema. */
  database(options?: { empty?: boolean }): Promise<TestDatabase>;
  /**
   * Ends it: `SIGKILL` like the kernel's OOM killer, `SIGINT` (fast shutdown) like an operator, `SIGQUIT` (immediate
   * shutdown).
   */
  end(signal: 'SIGKILL' | 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Starts it again; resolves when it answers. */
  start(): Promise<void>;
  /** Restarts it as a hot standby with the same data, which answers and takes no writes until `promote`. */
  standBy(): Promise<void>;
  /** Makes the standby a primary. Resolves when it takes writes. */
  promote(): Promise<void>;
  /** Restarts it if it ended on its own. */
  revive(): Promise<void>;
  /** Ends it for good and removes its files. */
  remove(): Promise<void>;
};

const DURABLE = { fsync: 'on', full_page_writes: 'on', max_connections: 150 };

/**
 * `directory`: for its files, for example on a small disk; default: a temporary directory. `wrap` maps a program to one
 * that runs it in a modified environment; `settings` extend or override the defaults.
 */
export async function mortalPostgres(
  directory?: string,
  { wrap, settings }: { wrap?(program: string): string; settings?: Record<string, string> } = {},
): Promise<MortalPostgres> {
  const home = directory ?? mkdtempSync(join(tmpdir(), 'tocsin-faults-'));
  const place = placeOf(home);
  const password = initialise(place.binaries, place.account, home);
  const binaries = {
    ...place.binaries,
    postgres: wrap?.(place.binaries.postgres) ?? place.binaries.postgres,
  };
  const { adminUrl, ...server } = await serverIn({ ...place, binaries }, password, settings);
  const template = await prepareTemplate(adminUrl);
  return {
    ...server,
    async database({ empty = false } = {}) {
      const name = `faults_${randomBytes(4).toString('hex')}`;
      await runOn(adminUrl, `create database ${name} ${empty ? '' : `template ${template}`}`);
      const drop = async () => {
        // Without a server there is nothing to drop.
        if (server.isStarted()) await runOn(adminUrl, `drop database if exists ${name} with (force)`);
      };
      return { url: databaseOf(adminUrl, name), drop };
    },
  };
}

/** A PostgreSQL that was started on the embedded database of a stored release. */
export type StoredPostgres = MortalPostgres & {
  made: MadeByRelease;
  /** The secret key of the installation, in base64. */
  secretKey: string;
};

/** Serves the stored data of a release to processes that use it as an external database. It has this one database. */
export async function storedPostgres(version: string): Promise<StoredPostgres> {
  const home = mkdtempSync(join(tmpdir(), 'tocsin-faults-'));
  const place = placeOf(home);
  const dataDir = join(home, 'stored');
  mkdirSync(dataDir);
  const made = unpackRelease(version, dataDir);
  const secretKey = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim();
  renameSync(join(dataDir, 'postgres'), join(home, 'data'));
  const password = readFileSync(join(home, 'data', PASSWORD_FILE), 'utf8').trim();
  const { adminUrl, ...server } = await serverIn(place, password);
  return {
    ...server,
    made,
    secretKey,
    database: async () => ({ url: databaseOf(adminUrl, 'tocsin'), drop: async () => undefined }),
  };
}

function databaseOf(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = name;
  return url.href;
}

type PostgresPlace = { home: string; account: Account; binaries: Binaries };

function placeOf(home: string): PostgresPlace {
  chmodSync(home, 0o711);
  const account = postgresAccount();
  return { home, account, binaries: binariesFor(account, home) };
}

/** Starts the server of the cluster in `home`/data on a free port, which it keeps. */
async function serverIn(
  { home, account, binaries }: PostgresPlace,
  password: string,
  settings: Record<string, string> = {},
) {
  const port = await freePort();
  const adminUrl = `postgres://tocsin:${password}@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | null = null;

  /** Children of a killed server keep its shared memory for a moment; until they end, no other server can start. */
  async function start(): Promise<void> {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await delay(50)) {
      if (!server || server.exitCode !== null || server.signalCode !== null)
        server = launch(binaries, account, home, port, false, { ...DURABLE, ...settings });
      if (
        await runOn(adminUrl, 'select 1').then(
          () => true,
          () => false,
        )
      )
        return;
    }
    throw new Error(`the PostgreSQL in ${home} did not start again; see postgres.log there`);
  }

  async function end(signal: 'SIGKILL' | 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const dying = server;
    server = null;
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return;
    const gone = once(dying, 'exit');
    dying.kill(signal);
    await gone;
  }

  await start();
  return {
    port,
    adminUrl,
    isStarted: () => server !== null,
    end,
    start,
    async standBy() {
      await end('SIGINT');
      writeFileSync(join(home, 'data', 'standby.signal'), '');
      await start();
    },
    async promote() {
      await runOn(adminUrl, 'select pg_promote() where pg_is_in_recovery()');
    },
    async revive() {
      if (server && (server.exitCode !== null || server.signalCode !== null)) await start();
    },
    async remove() {
      await end('SIGQUIT');
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
