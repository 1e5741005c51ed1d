/**
 * Writes (`--write`) or compares (`--check`) what the migrations add up to: `schema.sql` for people and
 * `src/db/schema.ts` for the compiler. `TEST_DATABASE_URL` names a database server that may be used for it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { Client } from 'pg';
import { migrate } from '../src/db/migrate.ts';
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

async function main(mode: string | undefined, adminUrl: string | undefined): Promise<number> {
  if (!adminUrl) throw new Error('TEST_DATABASE_URL is not set; run `npm run schema` or `npm run check` instead');
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

if (import.meta.main) process.exitCode = (await main(process.argv[2], process.env['TEST_DATABASE_URL'])) ? 1 : 0;
