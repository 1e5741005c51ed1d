import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { migrate } from '../src/db/migrate.ts';
import { runOn } from './postgres.ts';

const migrations = new URL('../migrations/', import.meta.url);

/**
 * Prepares a migrated template database to clone from and returns its name. The name contains a hash of the migrations,
 * so that a server that outlives this run is never used with an outdated schema.
 */
export async function prepareTemplate(adminUrl: string): Promise<string> {
  const name = `tocsin_template_${migrationsHash()}`;
  const known = await runOn(adminUrl, `select 1 from pg_database where datname = '${name}'`);
  if (known.rows.length > 0) return name;
  const draft = `${name}_${process.pid}`;
  await runOn(adminUrl, `create database ${draft}`);
  const url = new URL(adminUrl);
  url.pathname = draft;
  await migrate({ connectionString: url.href });
  await renameOrDrop(adminUrl, draft, name);
  return name;
}

function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(migrations).sort())
    hash.update(file).update(readFileSync(new URL(file, migrations)));
  return hash.digest('hex').slice(0, 12);
}

async function renameOrDrop(adminUrl: string, draft: string, name: string): Promise<void> {
  try {
    await runOn(adminUrl, `alter database ${draft} rename to ${name}`);
  } catch (error) {
    await runOn(adminUrl, `drop database ${draft}`);
    // Another run created the same template first.
    if (!(error instanceof Error && 'code' in error && error.code === DUPLICATE_DATABASE)) throw error;
  }
}

const DUPLICATE_DATABASE = '42P04';
