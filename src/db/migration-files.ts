import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

export type MigrationFile = { name: string; text: string; checksum: string };

/** Says in a migration that what it does is more than the releases before it can live with, and why. */
const NOT_BESIDE_OLDER = /^-- not beside older releases: \S/m;
/** Begins a migration that nobody waits for: it reads large tables, which pages go into meanwhile. */
const WHILE_SERVING = /^-- while the service runs\b/;
/** Says in a migration under which checksum it was applied when it did the same in another way. */
const FORMERLY = /^-- formerly ([0-9a-f]{64})$/gm;

const folder = new URL('../../migrations/', import.meta.url);

/** All of this release, in their order. */
export async function migrationFiles(): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Whether programs of the release before may go on, and start, over what this migration made. */
export function runsBesideOlder(text: string): boolean {
  return !NOT_BESIDE_OLDER.test(text);
}

/** Whether the service starts without it, and applies it then statement by statement, outside of a transaction. */
export function runsWhileServing(text: string): boolean {
  return WHILE_SERVING.test(text);
}

/** Whether a file that was applied with this checksum is this one, or what it was before. */
export function isFormOf({ text, checksum }: MigrationFile, applied: string): boolean {
  return applied === checksum || text.matchAll(FORMERLY).some(([, former]) => former === applied);
}

/** Of a text without functions: their bodies hold semicolons, too. */
export function statementsOf(text: string): string[] {
  return text
    .replace(/--.*$/gm, '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** As it can run where nobody else is: within a transaction, which indexes cannot be built `concurrently` in. */
export function textForTransaction({ text }: MigrationFile): string {
  if (!runsWhileServing(text)) return text;
  return statementsOf(text)
    .map((one) => `${one.replace(/\bindex concurrently\b/i, 'index')};\n`)
    .join('');
}
