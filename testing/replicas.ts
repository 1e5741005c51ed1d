import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  type Account,
  postgresAccount,
  runningAsRoot,
  spawnAs,
} from '../packages/embedded-postgres/account.ts';
import { migrate } from '../src/db/migrate.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { runOn } from './postgres.ts';
import { type TcpProxy, tcpProxy } from './tcp-proxy.ts';

const DEBIAN = '/usr/lib/postgresql';

/** The directory of Debian's newest PostgreSQL, which has the programs for replication, unlike the embedded one. */
function programs(): string {
  const majors = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const [newest] = majors
    .filter((major) => existsSync(join(DEBIAN, String(major), 'bin', 'pg_basebackup')))
    .sort((a, b) => b - a);
  if (newest !== undefined) return join(DEBIAN, String(newest), 'bin');
  throw new Error(`This test needs pg_basebackup in ${DEBIAN}; as root, run: apt-get install postgresql`);
}

/** One of two servers. At first the second one replicates the first. */
export type Replica = {
  readonly port: number;
  /** URL of its database, not through the proxy. */
  readonly url: string;
  /** Starts it; resolves when it accepts connections. */
  start(): Promise<void>;
  /**
   * `fast`: as an operator stops it, after it has sent the end of its log to the other server; `kill`: as in a crash.
   */
  stop(how: 'fast' | 'kill'): Promise<void>;
  /** Makes it the primary; resolves when it accepts writes. */
  promote(): Promise<void>;
  /** To be called while it is stopped: it replicates the other server from its next start on. */
  follow(other: Replica): void;
  /** Runs a statement in its database. */
  query(statement: string): Promise<Record<string, unknown>[]>;
};

export type Replicas = {
  first: Replica;
  second: Replica;
  /** A DATABASE_URL with both servers, one of which accepts writes. */
  url: string;
  /** The proxy of the replication; once it is cut, the second server receives no commits of the first. */
  copying: TcpProxy;
  /** From now on, commits of the first server wait for the second. */
  makeSynchronous(): Promise<void>;
  remove(): Promise<void>;
};

/** Two servers with one migrated database, `tocsin`. */
export async function replicas(): Promise<Replicas> {
  const bin = programs();
  const account = postgresAccount();
  const home = mkdtempSync(join(tmpdir(), 'tocsin-replicas-'));
  chmodSync(home, 0o711);
  const [one, two] = [await freePort(), await freePort()];
  const first = replica(bin, account, join(home, 'first'), one);
  await run(
    bin,
    account,
    home,
    'initdb',
    '-D',
    first.data,
    '-U',
    'tocsin',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '-k',
  );
  await first.start();
  await runOn(first.admin, 'create database tocsin');
  await migrate({ connectionString: first.url });
  const copying = await tcpProxy({ host: '127.0.0.1', port: one });
  const second = replica(bin, account, join(home, 'second'), two);
  const source = `host=127.0.0.1 port=${copying.port} user=tocsin application_name=second`;
  await run(
    bin,
    account,
    home,
    'pg_basebackup',
    '-D',
    second.data,
    '-d',
    source,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
  );
  await second.start();
  await eventually(async () => (await runOn(first.admin, 'select from pg_stat_replication')).rowCount, 1);
  return {
    first,
    second,
    url: `postgresql://tocsin@127.0.0.1:${one},127.0.0.1:${two}/tocsin?target_session_attrs=read-write`,
    copying,
    async makeSynchronous() {
      await runOn(first.admin, `alter system set synchronous_standby_names = '*'`);
      await runOn(first.admin, 'select pg_reload_conf()');
      const states = async () =>
        (await runOn(first.admin, 'select sync_state from pg_stat_replication')).rows[0]?.sync_state;
      await eventually(states, 'sync');
    },
    async remove() {
      await Promise.all([first.stop('kill'), second.stop('kill')]);
      await copying.stop();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '150',
  shared_buffers: '32MB',
  timezone: 'UTC',
  wal_receiver_timeout: '2s',
  wal_retrieve_retry_interval: '200ms',
};

function replica(bin: string, account: Account, data: string, port: number) {
  mkdirSync(data, { mode: 0o700 });
  if (runningAsRoot()) chownSync(data, account.uid, account.gid);
  let server: ReturnType<typeof spawn> | null = null;
  const at = (name: string) => `postgres://tocsin@127.0.0.1:${port}/${name}`;
  const admin = at('postgres');
  const answers = () =>
    runOn(admin, 'select 1').then(
      () => true,
      () => false,
    );

  return {
    data,
    admin,
    port,
    url: at('tocsin'),
    async start() {
      const settings = Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ]);
      server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], {
        ...spawnAs(account),
        cwd: data,
        env: { LC_ALL: 'C' },
        stdio: 'ignore',
      });
      const ended = once(server, 'exit').then(([status]) => {
        throw new Error(`PostgreSQL in ${data} ended with status ${status} before it answered`);
      });
      await Promise.race([eventually(answers, true), ended]);
    },
    async stop(how: 'fast' | 'kill') {
      const ending = server;
      server = null;
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
      const gone = once(ending, 'exit');
      ending.kill(how === 'fast' ? 'SIGINT' : 'SIGKILL');
      await gone;
      // Child processes of a killed server end on their own, and accept data until then.
      await eventually(answers, false);
    },
    async promote() {
      await run(bin, account, data, 'pg_ctl', 'promote', '-D', data, '-w', '-t', '60');
      await eventually(
        async () => (await runOn(admin, 'select pg_is_in_recovery() as standby')).rows[0]?.standby,
        false,
      );
    },
    follow(other: Replica) {
      writeFileSync(join(data, 'standby.signal'), '');
      const source = `host=127.0.0.1 port=${other.port} user=tocsin`;
      const conf = join(data, 'postgresql.auto.conf');
      writeFileSync(
        conf,
        `${readFileSync(conf, 'utf8')}\nprimary_conninfo = '${source}'\nrecovery_target_timeline = 'latest'\n`,
      );
    },
    async query(statement: string) {
      return (await runOn(at('tocsin'), statement)).rows;
    },
  };
}

/** Asynchronous, because the program may connect through a proxy of this process. */
async function run(
  bin: string,
  account: Account,
  cwd: string,
  program: string,
  ...args: string[]
): Promise<void> {
  const child = spawn(join(bin, program), args, {
    ...spawnAs(account),
    cwd,
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (status !== 0) throw new Error(`${program} failed: ${said}`);
}
