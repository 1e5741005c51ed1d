import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseClock } from '../src/db/clock.ts';
import { createDatabase, createPool } from '../src/db/database.ts';
import { createSealing } from '../src/kit/sealing.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { endLifeboats } from './end-lifeboats.ts';
import { freePort } from './free-port.ts';
import { type Organization, type OrganizationSpec, type Seeding, seedOrganization } from './organization.ts';
import { SHORT_LIVED, serviceProgram } from './service-program.ts';

const root = new URL('../', import.meta.url).pathname;

/** A real process of the service, as `tocsin serve` runs it. */
export type ServerProcess = {
  url: string;
  pid: number;
  child: ChildProcess;
  /** Sends the signal and resolves when the process is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
};

/** Where a process runs, if not here. */
export type Surroundings = {
  /** A source tree other than this one. */
  tree?: string;
  /** A program with arguments that executes the process, such as `ip netns exec NAME`. */
  enter?: readonly string[];
};

/** Several processes on one database, which tests can kill, freeze and restart. */
export type Cluster = Seeding & {
  database: TestDatabase;
  acme: Organization;
  start(
    settings: Surroundings & {
      role?: 'all' | 'api' | 'worker';
      port?: number;
      env?: Record<string, string>;
    },
  ): Promise<ServerProcess>;
  stop(): Promise<void>;
};

/** Finds or creates the organization of a database that is not new. */
export type Settling = (seeding: Seeding, database: TestDatabase) => Promise<Organization>;

/** `place.database` replaces the default new database; the file descriptor gets the output of the processes. */
export async function cluster(
  organization: OrganizationSpec | Settling,
  env: Record<string, string> = {},
  place: { database?: TestDatabase; output?: number } = {},
): Promise<Cluster> {
  const database = place.database ?? (await testDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-cluster-'));
  const masterKey = env.SECRET_KEY ? Buffer.from(env.SECRET_KEY, 'base64') : randomBytes(32);
  const pool = createPool({ connection: { connectionString: database.url }, max: 4, name: 'test' });
  const seeding = { db: createDatabase(pool), clock: databaseClock, sealing: createSealing(masterKey) };
  const acme =
    typeof organization === 'function'
      ? await organization(seeding, database)
      : await seedOrganization(seeding, organization);
  const running = new Set<ServerProcess>();

  return {
    ...seeding,
    database,
    acme,
    async start(settings) {
      const port = settings.port ?? (await freePort());
      const [program, ...words] = [...(settings.enter ?? []), process.execPath];
      const child = spawn(
        program ?? '',
        [
          ...words,
          ...SHORT_LIVED,
          settings.tree ? 'src/main.ts' : serviceProgram(),
          'serve',
          '--role',
          settings.role ?? 'all',
        ],
        {
          cwd: settings.tree ?? root,
          stdio: ['ignore', place.output ?? 'inherit', place.output ?? 'inherit'],
          env: {
            ...process.env,
            PORT: String(port),
            UPLOAD_PORT: String(await freePort()),
            DATA_DIR: dataDir,
            DATABASE_URL: database.url,
            SECRET_KEY: masterKey.toString('base64'),
            ALLOW_PRIVATE_WEBHOOKS: 'true',
            LOG_LEVEL: 'error',
            DRAIN_SECONDS: '0',
            RATE_LIMIT_PER_SECOND: '100000',
            RATE_LIMIT_BURST: '100000',
            ...env,
            ...settings.env,
          },
        },
      );
      const server: ServerProcess = {
        url: `http://127.0.0.1:${port}`,
        pid: child.pid ?? 0,
        child,
        async end(signal) {
          running.delete(server);
          const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
          child.kill(signal);
          await gone;
        },
      };
      running.add(server);
      await healthy(server);
      return server;
    },
    async stop() {
      await Promise.all([...running].map((server) => server.end('SIGKILL')));
      await seeding.db.destroy();
      await database.drop();
      for (const place of new Set([dataDir, env.DATA_DIR ?? dataDir])) await endLifeboats(place);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function healthy(server: ServerProcess): Promise<void> {
  while (server.child.exitCode === null && server.child.signalCode === null) {
    const answer = await fetch(`${server.url}/healthz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(
    `the server ended with ${server.child.exitCode ?? server.child.signalCode} before it was ready`,
  );
}
