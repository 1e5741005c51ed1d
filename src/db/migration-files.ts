import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

export type MigrationFile = { name: string; text: string; checksum: string };

/** This release cannot migrate the database. The message names the fix. */
export class MigrationFault extends Error {
  override name = 'MigrationFault';
}

/** Marks a migration that earlier releases cannot run with, and gives the reason. */
const NOT_BESIDE_OLDER = /^-- not beside older releases: (\S.*)$/m;
/** Marks a migration that runs while serving, because it reads large tables that pages are written to meanwhile. */
const WHILE_SERVING = /^-- while the service runs\b/;
/** The checksum of an earlier form of the migration that had the same result. */
const FORMERLY = /^-- formerly ([0-9a-f]{64})$/gm;

const folder = new URL('../../migrations/', import.meta.url);

/** All migrations of this release, in order. */
export async function migrationFiles(): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Whether the previous release can run, and start, after this migration. */
export function runsBesideOlder(text: string): boolean {
  return reasonAgainstOlder(text) === null;
}

/** Why older releases cannot run after this migration; null if they can. */
export function reasonAgainstOlder(text: string): string | null {
  return NOT_BESIDE_OLDER.exec(text)?.[1] ?? null;
}

/** Whether the service starts without it and applies it later, statement by statement and outside a transaction. */
export function runsWhileServing(text: string): boolean {
  return WHILE_SERVING.test(text);
}

/** Whether a file that was applied with this checksum is this one or an earlier form of it. */
export function isFormOf({ text, checksum }: MigrationFile, applied: string): boolean {
  return applied === checksum || text.matchAll(FORMERLY).some(([, former]) => former === applied);
}

/** Only for texts without functions, whose bodies contain semicolons. */
export function statementsOf(text: string): string[] {
  return text
    .replace(/--.*$/gm, '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/**
 * The form that runs in a transaction, in which indexes cannot be built `concurrently`. For databases that nobody else
 * uses.
 */
export function textForTransaction({ text }: MigrationFile): string {
  if (!runsWhileServing(text)) return text;
  return statementsOf(text)
    .map((one) => `${one.replace(/\bindex concurrently\b/i, 'index')};\n`)
    .join('');
}
