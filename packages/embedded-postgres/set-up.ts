import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import type { EmbeddedConnection } from './connection.ts';
import { EmbeddedPostgresFault } from './fault.ts';

/** Extensions that migrations use and only a superuser can create. */
export const EXTENSIONS = ['btree_gist'];

/**
 * Creates, as superuser, what the service needs but must not be able to create itself: its database, its role and the
 * extensions. Also makes the role own objects that an earlier release created as superuser. Changes nothing if all of
 * that is done.
 * @throws EmbeddedPostgresFault when the superuser's password is refused
 */
export async function setUpDatabase(
  superuser: EmbeddedConnection,
  service: EmbeddedConnection,
): Promise<void> {
  await connected({ ...superuser, database: 'postgres' }, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [service.database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(service.database)}`);
    await makeRole(client, service);
  });
  await connected(superuser, async (client) => {
    for (const name of EXTENSIONS) await makeExtension(client, name);
    await giveSchema(client, service.user);
  });
}

async function connected(connection: EmbeddedConnection, work: (client: Client) => Promise<void>) {
  const client = new Client({
    ...connection,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    application_name: 'tocsin supervisor',
  });
  // If the connection breaks, the query reports it; without a listener, this event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } catch (error) {
    throw error instanceof DatabaseError && error.code === REFUSED_PASSWORD ? wrongPassword() : error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const REFUSED_PASSWORD = '28P01';

function wrongPassword(): EmbeddedPostgresFault {
  return new EmbeddedPostgresFault(
    'The embedded database refuses the password in postgres/tocsin.password. Bring that file back from a backup.',
  );
}

type Role = { harmless: boolean; verifier: string | null };

async function makeRole(client: Client, { user, password }: EmbeddedConnection): Promise<void> {
  const { rows } = await client.query<Role>(
    `select rolcanlogin and not (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls) as harmless,
       rolpassword as verifier from pg_authid where rolname = $1`,
    [user],
  );
  const role = rows[0];
  if (role?.harmless && role.verifier && isOf(password, role.verifier)) return;
  const name = client.escapeIdentifier(user);
  if (!role) await client.query(`create role ${name}`);
  await client.query(
    `alter role ${name} login nosuperuser nocreaterole nocreatedb noreplication nobypassrls
       password ${client.escapeLiteral(verifierOf(password, randomBytes(16)))}`,
  );
}

const ITERATIONS = 4096;

/**
 * The SCRAM-SHA-256 verifier that PostgreSQL stores. Computed here, so that the password appears in no statement and no
 * log.
 */
function verifierOf(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}

function isOf(password: string, verifier: string): boolean {
  const salt = verifier.split(/[$:]/)[2] ?? '';
  return verifierOf(password, Buffer.from(salt, 'base64')) === verifier;
}

async function makeExtension(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_extension where extname = $1', [name]);
  if (rowCount === 0) await client.query(`create extension ${client.escapeIdentifier(name)} schema public`);
}

/** Selects statements that make the service's role the owner of all objects except those of extensions. */
const NOT_GIVEN = `
  with ours as (select oid from pg_roles where rolname = $1), place as (select * from pg_namespace where nspname = 'public')
  select 'alter schema public owner to ' || quote_ident($1) as statement from place, ours where nspowner <> ours.oid
  union all
  select format('alter table %s owner to %I', c.oid::regclass, $1) from pg_class c, place, ours
  where c.relnamespace = place.oid and c.relowner <> ours.oid and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('e', 'a', 'i'))
  union all
  select format('alter routine %s owner to %I', p.oid::regprocedure, $1) from pg_proc p, place, ours
  where p.pronamespace = place.oid and p.proowner <> ours.oid
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  union all
  select format('alter type %s owner to %I', t.oid::regtype, $1) from pg_type t, place, ours
  where t.typnamespace = place.oid and t.typowner <> ours.oid and t.typtype in ('d', 'e', 'r')
    and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')`;

/** Everybody else waits behind a statement that waits for a table, so it gives up after this time and tries again. */
const LOCK_MS = 2_000;
const TRY_AGAIN_MS = 1_000;
const PATIENCE_MS = 5 * 60_000;
const LOCK_NOT_AVAILABLE = '55P03';

async function giveSchema(client: Client, role: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const { rows } = await client.query<{ statement: string }>(NOT_GIVEN, [role]);
  if (rows.length === 0) return;
  await client.query(`set lock_timeout = ${LOCK_MS}`);
  for (const { statement } of rows) await patiently(client, statement, deadline);
}

async function patiently(client: Client, statement: string, deadline: number): Promise<void> {
  for (;;) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      const locked = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!locked) throw error;
      if (performance.now() > deadline)
        throw new EmbeddedPostgresFault(
          'A table of the embedded database has been locked by another program for five minutes. End that program and start again.',
        );
      await delay(TRY_AGAIN_MS);
    }
  }
}
