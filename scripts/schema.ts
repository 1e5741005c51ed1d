/**
 * Writes (`--write`) or compares (`--check`) the schema that results from the migrations: `schema.sql` for people and
 * `src/db/schema.ts` for the compiler. It uses the database server that `TEST_DATABASE_URL` names, or one of its own.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { Client } from 'pg';
import { migrate } from '../src/db/migrate.ts';
import { withTestPostgres } from '../testing/postgres.ts';
import { readCatalog } from './schema/catalog.ts';
import { schemaSql } from './schema/sql.ts';
import { schemaTypes } from './schema/typescript.ts';

const root = new URL('../', import.meta.url);

export async function generatedSchema(adminUrl: string): Promise<Record<string, string>> {
  const name = `tocsin_schema_${process.pid}`;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  try {
    const url = new URL(adminUrl);
    url.pathname = `/${name}`;
    await migrate({ connectionString: url.href });
    const client = new Client({ connectionString: url.href });
    await client.connect();
    const catalog = await readCatalog(client);
    await client.end();
    return { 'schema.sql': schemaSql(catalog), 'src/db/schema.ts': schemaTypes(catalog) };
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

async function main(mode: string | undefined, adminUrl: string): Promise<number> {
  let stale = 0;
  for (const [path, text] of Object.entries(await generatedSchema(adminUrl))) {
    if (mode === '--write') await writeFile(new URL(path, root), text);
    else if (text !== (await readFile(new URL(path, root), 'utf8').catch(() => ''))) {
      console.error(`${path} does not match the migrations; run \`npm run schema\` and commit the result`);
      stale++;
    }
  }
  return stale;
}

if (import.meta.main) {
  const check = (adminUrl: string) => main(process.argv[2], adminUrl);
  const { TEST_DATABASE_URL: given } = process.env;
  process.exitCode = (await (given ? check(given) : withTestPostgres(check))) ? 1 : 0;
}
