import '../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type EmbeddedConnection, superuserTo } from '../../packages/embedded-postgres/connection.ts';
import { EXTENSIONS } from '../../packages/embedded-postgres/set-up.ts';
import { commandLine } from '../../testing/command-line.ts';
import { FORGETFUL, query, run, stopLeftover, temporaryDataDir } from '../../testing/embedded.ts';
import { migrate } from './migrate.ts';
import { migrationFiles } from './migration-files.ts';

const ORGANIZATION = `
organization: { name: Acme, time_zone: UTC }
users: [ { email: ada@example.com, name: Ada, role: owner, contact_methods: [ { type: webhook, value: "https://example.com/ada" } ] } ]
teams: [ { name: Site Reliability, slug: sre, members: [ada@example.com] } ]
`;

/** Attacks by somebody who can make the service run their own statement. */
const ATTACKS: [statement: string, refusal: RegExp][] = [
  [`copy (select 1) to program 'true'`, /permission denied to COPY to or from an external program/],
  [`create temp table out (line text); copy out from program 'id'`, /permission denied to COPY to or from/],
  [`copy (select 1) to '/tmp/tocsin-was-here'`, /permission denied to COPY to a file/],
  [`select pg_read_file('/etc/passwd')`, /permission denied for function pg_read_file/],
  [`select pg_ls_dir('.')`, /permission denied for function pg_ls_dir/],
  [`select lo_import('/etc/passwd')`, /permission denied for function lo_import/],
  ['create extension hstore', /permission denied to create extension/],
  ['create extension file_fdw', /permission denied to create extension/],
  [`create function f() returns int language c as '/tmp/x', 'f'`, /permission denied for language c/],
  [`alter system set archive_command = 'true'`, /permission denied to set parameter|permission denied/],
  ['alter role tocsin_service superuser', /permission denied to alter role/],
  ['set role tocsin', /permission denied to set role/],
  ['create role friend superuser', /permission denied to create role/],
  ['create database another', /permission denied to create database/],
  ['create schema another', /permission denied for database/],
  ['select rolpassword from pg_authid', /permission denied for table pg_authid/],
];

async function assertHarmless(connection: EmbeddedConnection): Promise<void> {
  assert.equal(connection.user, 'tocsin_service');
  assert.deepEqual(
    await query(
      connection,
      'select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
    ),
    [
      {
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
      },
    ],
  );
  for (const [statement, refusal] of ATTACKS)
    await assert.rejects(query(connection, statement), refusal, statement);
}

/** The tables that the service does not own, so that it could neither migrate nor restore them. */
const FOREIGN = `select relname from pg_class where relnamespace = 'public'::regnamespace
  and relkind in ('r', 'S', 'v') and pg_get_userbyid(relowner) <> 'tocsin_service'`;

type Console = (...args: string[]) => Promise<void>;

/** The command line on this DATA_DIR, whose commands succeed. */
function console(t: TestContext, dataDir: string): Console {
  const line = commandLine(null);
  t.after(() => line.remove());
  return async (...args) => {
    const ran = await line.run(args, { env: { DATA_DIR: dataDir, SECRET_KEY: '' } });
    assert.equal(ran.code, 0, ran.stderr);
  };
}

/** Backup and restore, which drop and create all tables, with the service's role. */
async function assertRestores(t: TestContext, done: Console, dataDir: string): Promise<void> {
  const file = join(dataDir, 'acme.backup');
  await done('backup', file);
  await done('restore', file, '--replace');
  const server = run(t, { role: 'server', dataDir });
  const { connection } = await server.saw('running');
  assert.deepEqual(await query(connection, FOREIGN), []);
  assert.deepEqual(await query(connection, `select name from users where email = 'ada@example.com'`), [
    { name: 'Ada' },
  ]);
  await assertHarmless(connection);
  await server.end();
  assert.doesNotMatch(
    readFileSync(join(dataDir, 'postgres.log'), 'utf8'),
    /permission denied to (analyze|vacuum)/,
  );
}

/** A database like those of earlier releases, whose service was the superuser. */
async function makeAsBefore(t: TestContext, dataDir: string): Promise<void> {
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await server.saw('running');
  const superuser = superuserTo(join(dataDir, 'postgres'), connection.host);
  const other = { ...superuser, database: 'postgres' };
  await query(other, 'drop database tocsin with (force)');
  await query(other, 'drop role tocsin_service');
  await query(other, 'create database tocsin');
  await migrate({ ...superuser });
  const owners = await query(superuser, `select distinct pg_get_userbyid(relowner) as owner from pg_class`);
  assert.deepEqual(owners, [{ owner: 'tocsin' }]);
  await server.end();
}

test('every extension that a migration creates exists before the migration runs', async () => {
  const files = await migrationFiles();
  const made = files.flatMap(({ text }) => [...text.matchAll(/create extension (?:if not exists )?(\w+)/gi)]);
  assert.deepEqual([...new Set(made.map(([, name]) => name))].sort(), [...EXTENSIONS].sort());
});

test("the service's role can do nothing but own its schema, from the first start on", {
  timeout: 600_000,
}, async (t) => {
  const dataDir = temporaryDataDir(t);
  const done = console(t, dataDir);
  const file = join(dataDir, '..', 'acme.yaml');
  writeFileSync(file, ORGANIZATION);
  await done('apply', file);
  await assertRestores(t, done, dataDir);
});

test('a database whose owner was the superuser, as in 0.1.0, is transferred at the next start', {
  timeout: 600_000,
}, async (t) => {
  const dataDir = temporaryDataDir(t);
  const done = console(t, dataDir);
  await makeAsBefore(t, dataDir);
  const file = join(dataDir, '..', 'acme.yaml');
  writeFileSync(file, ORGANIZATION);
  await done('apply', file);
  await assertRestores(t, done, dataDir);
  await stopLeftover(dataDir);
});
