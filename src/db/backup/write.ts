import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client, ClientConfig } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Sealing } from '../../kit/sealing.ts';
import { breakConnection, closeConnection } from '../connection.ts';
import { DatabaseClient } from '../hosts.ts';
import { holdMigrations } from '../migration-locks.ts';
import { listApplied, listTables } from './catalog.ts';
import {
  BackupFault,
  backupHmac,
  END_OF_TABLE,
  type Header,
  headerLine,
  nameAndColumns,
  tableLine,
  trailerLine,
} from './contents.ts';

export type Written = { rows: number; tables: number; postgres: string };

export type AboutBackup = Pick<Header, 'version' | 'madeAt' | 'keys'> & {
  /** Authenticates the backup. Null: nobody can detect later whether it was changed. */
  signer: { sealing: Sealing; mark: string } | null;
};

/**
 * Writes a consistent snapshot of all tables while the service runs. The file gets its name when it is complete and on
 * disk, and only its owner can read it.
 * @throws BackupFault when there is nothing to back up, or no space for it
 */
export async function writeBackup(
  connection: ClientConfig,
  path: string,
  about: AboutBackup,
  signal?: AbortSignal,
): Promise<Written> {
  const client = await connectForBackup(connection, undefined, signal);
  const draft = `${path}.${process.pid}.part`;
  try {
    const written: Written = { rows: 0, tables: 0, postgres: '' };
    const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(contents(client, about, written), createGzip(), file, { signal });
    await rename(draft, path);
    await syncDirectory(dirname(path));
    return written;
  } catch (error) {
    await rm(draft, { force: true });
    throw explainWriting(path, error);
  } finally {
    await closeConnection(client);
  }
}

/**
 * Connects without the time limits of requests, because large tables take long. `name` is shown in pg_stat_activity.
 * `signal` ends the connection: a statement that waits for a lock, or for a server that is silent, ends only with it.
 */
export async function connectForBackup(
  connection: ClientConfig,
  name = 'tocsin backup',
  signal?: AbortSignal,
): Promise<Client> {
  const client = new DatabaseClient({
    ...connection,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  const leave = () => breakConnection(client);
  signal?.addEventListener('abort', leave, { once: true });
  client.once('end', () => signal?.removeEventListener('abort', leave));
  await client.connect();
  await client.query(
    `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set client_encoding = 'UTF8';
     set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
     set bytea_output = 'hex'`,
  );
  return client;
}

async function* contents(client: Client, about: AboutBackup, written: Written): AsyncGenerator<Buffer> {
  const { signer, ...described } = about;
  const hash = createHash('sha256');
  const hmac = signer && backupHmac(signer.sealing);
  const take = (piece: string | Buffer) => {
    const bytes = Buffer.from(piece);
    hash.update(bytes);
    hmac?.update(bytes);
    return bytes;
  };
  await client.query('begin isolation level repeatable read read only');
  await holdMigrations(client);
  const tables = await listTables(client);
  if (!tables.some(({ name }) => name === 'migrations')) throw nothingThere();
  const server = await client.query<{ server_version: string }>('show server_version');
  written.postgres = server.rows[0]?.server_version ?? '';
  if (signer) await refuseOtherKey(client, signer.mark);
  const migrations = await listApplied(client);
  const by = signer ? { signedBy: signer.mark } : {};
  yield take(headerLine({ format: 1, ...described, ...by, postgres: written.postgres, migrations }));
  const rows: Record<string, number> = {};
  for (const table of tables) {
    yield take(tableLine(table));
    const stream = client.query(copyTo(`copy ${nameAndColumns(table)} to stdout`));
    for await (const chunk of stream as AsyncIterable<Buffer>) yield take(chunk);
    yield take(END_OF_TABLE);
    rows[table.name] = stream.rowCount;
    written.rows += stream.rowCount;
    written.tables++;
  }
  await client.query('commit');
  const signed = hmac ? { hmac: hmac.update(JSON.stringify(rows)).digest('hex') } : {};
  yield Buffer.from(trailerLine({ rows, sha256: hash.digest('hex'), ...signed }));
}

/** A backup signed with a different key than the database's would be refused when it is restored. */
async function refuseOtherKey(client: Client, mark: string): Promise<void> {
  const { rows } = await client.query<{ key_check: string }>('select key_check from installation');
  if (rows[0] === undefined || rows[0].key_check === mark) return;
  throw new BackupFault(
    'The secret key is not the one of this database, so no backup was written; set SECRET_KEY or DATA_DIR as for the server.',
  );
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().catch(() => undefined);
  await directory.close();
}

function nothingThere(): BackupFault {
  return new BackupFault('This database has no data of Tocsin; there is nothing to back up.');
}

function explainWriting(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new BackupFault(`The disk of ${path} is full; free some space or write to another disk.`);
  if (syscall === 'open')
    return new BackupFault(
      `${path} cannot be written (${code}); give a path in a folder that you may write to.`,
    );
  return error;
}
