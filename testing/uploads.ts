import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { AdmissionLimits } from '../src/availability/admission.ts';
import { UPLOAD_PATH } from '../src/availability/contract.ts';
import { uploadRoutes } from '../src/availability/routes.ts';
import { createSpool } from '../src/availability/spool.ts';
import { databaseClock } from '../src/db/clock.ts';
import { createDatabase, createPool, type Database, type Tx } from '../src/db/database.ts';
import { createListener } from '../src/http/listener.ts';
import { createKeys } from '../src/keys/authenticate.ts';
import { createBudgets, type Rate } from '../src/keys/budget.ts';
import type { Scope } from '../src/keys/contract.ts';
import { newKey } from '../src/keys/key.ts';
import { insertKey } from '../src/keys/store.ts';
import { createLog } from '../src/kit/log.ts';
import { newId } from '../src/kit/typeid.ts';
import { insertOrganization, insertUser } from '../src/people/store.ts';
import { testDatabase } from './database.ts';

/** An answer as a client sees it that knows only the API. */
export type Answered = {
  status: number;
  text: string;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests check the fields of the answer one by one
  json: any;
};

/** The context of a test, or `{ after }` of the runner for a whole file. */
type Hook = { after(clean: () => unknown): void };

/** An upload listener on a database of its own, with people who can be absent. */
export type Uploads = {
  url: string;
  db: Database;
  /** Blocks all other writes of records until the transaction ends. */
  lockRecords(tx: Tx): Promise<void>;
  /** The number of files that are spooled on disk. */
  spooled(): number;
  /** Creates an organization and returns its id. */
  organization(): Promise<string>;
  person(organizationId: string, email: string, disabled?: boolean): Promise<string>;
  key(organizationId: string, userId: string, scopes?: Scope[]): Promise<string>;
  /** A new organization with Ada, Grace and Ada's key. */
  acme(): Promise<{ acme: string; ada: string; grace: string; key: string }>;
  /** Sends a file as most clients do. */
  send(key: string, csv: string | Buffer, options?: SendOptions): Promise<Answered>;
  /** The number of records of the organization. */
  count(organizationId: string): Promise<number>;
};

export type SendOptions = { commit?: string; headers?: Record<string, string> };

export async function startUploads(
  t: Hook,
  rate: Rate = { perSecond: 1_000, burst: 1_000 },
  mostHeld?: AdmissionLimits,
  threadMegabytes?: number,
): Promise<Uploads> {
  const database = await testDatabase();
  const pool = createPool({ connection: { connectionString: database.url }, max: 5, name: 'upload test' });
  const db = createDatabase(pool);
  const log = createLog('silent');
  const listener = await createListener({
    config: { tls: null, trustProxy: false },
    log,
    bodyLimit: 256 * 1024,
    names: null,
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-uploads-'));
  const spool = createSpool(dataDir);
  uploadRoutes(listener, {
    spool,
    ...(mostHeld ? { mostHeld } : {}),
    ...(threadMegabytes ? { threadMegabytes } : {}),
    db,
    clock: databaseClock,
    keys: createKeys(db, databaseClock),
    budgets: createBudgets(rate),
  });
  const url = (await listener.listen({ host: '127.0.0.1', port: 0 })) + UPLOAD_PATH;
  t.after(async () => {
    await listener.close();
    rmSync(dataDir, { recursive: true, force: true });
    await db.destroy();
    await database.drop();
  });
  const some = people(db);
  return {
    url,
    db,
    async lockRecords(tx) {
      await sql`lock table availabilities in share mode`.execute(tx);
    },
    spooled: () =>
      readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length,
    ...some,
    acme: () => acmeOf(some),
    send: (...args) => sendFile(url, ...args),
    count: (organizationId) => countRecords(db, organizationId),
  };
}

function people(db: Database): Pick<Uploads, 'organization' | 'person' | 'key'> {
  return {
    async organization() {
      const id = newId('organization');
      await insertOrganization(db, Temporal.Now.instant(), { id, name: 'Acme', timeZone: 'UTC' });
      return id;
    },
    async person(organizationId, email, disabled = false) {
      const id = newId('organization_user');
      const username = email.split('@')[0] ?? email;
      const at = Temporal.Now.instant();
      const person = {
        id,
        email,
        name: `${username} the First`,
        username,
        // An admin, because permissions to upload for others are tested elsewhere.
        role: 'admin',
        timeZone: 'UTC',
      } as const;
      await insertUser(db, at, organizationId, person);
      if (disabled) await db.updateTable('users').set({ disabled_at: at }).where('id', '=', id).execute();
      return id;
    },
    async key(organizationId, userId, scopes) {
      const { key, hash, hint } = newKey();
      const id = newId('api_key');
      const row = {
        id,
        organizationId,
        userId,
        name: 'test',
        hash,
        hint,
        scopes: scopes ?? null,
        expiresAt: null,
      };
      await insertKey(db, databaseClock, row);
      return key;
    },
  };
}

async function acmeOf({ organization, person, key }: ReturnType<typeof people>) {
  const acme = await organization();
  const ada = await person(acme, 'ada@example.com');
  const grace = await person(acme, 'grace@example.com');
  return { acme, ada, grace, key: await key(acme, ada) };
}

async function sendFile(
  url: string,
  key: string,
  csv: string | Buffer,
  options: SendOptions = {},
): Promise<Answered> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(Buffer.from(csv))]), 'absences.csv');
  if (options.commit !== undefined) form.set('commit', options.commit);
  return post(url, { body: form, headers: { authorization: `Bearer ${key}`, ...options.headers } });
}

export async function post(url: string, request: RequestInit): Promise<Answered> {
  const response = await fetch(url, { method: 'POST', ...request });
  const text = await response.text();
  return { status: response.status, text, headers: response.headers, json: JSON.parse(text) };
}

async function countRecords(db: Database, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('availabilities')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Runs the real curl in a directory that contains the file `absences.csv`. */
export async function curl(
  t: Hook,
  csv: string,
  args: readonly string[],
): Promise<Omit<Answered, 'headers'>> {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-curl-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'absences.csv'), csv);
  const { stdout } = await promisify(execFile)('curl', ['-sS', '-w', '\n%{http_code}', ...args], {
    cwd: directory,
    timeout: 30_000,
    maxBuffer: 100 * 1024 * 1024,
  });
  const split = stdout.lastIndexOf('\n');
  const text = stdout.slice(0, split);
  return { status: Number(stdout.slice(split + 1)), text, json: JSON.parse(text) };
}
