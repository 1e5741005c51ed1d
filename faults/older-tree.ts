import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFormOf, type MigrationFile, migrationFiles, runsBesideOlder } from '../src/db/migration-files.ts';
import { type OtherTree, otherTree } from '../testing/other-tree.ts';

const root = new URL('../', import.meta.url).pathname;

/** The source of an older release, with the packages of this tree. */
export type OlderTree = OtherTree & {
  commit: string;
  /** Its migrations, and those that only this tree has. */
  migrations: MigrationFile[];
  newer: MigrationFile[];
  /** Whether it can start on a newer schema. */
  startsOverNewer: boolean;
};

/**
 * The newest commit whose migrations are part of this tree's, in their present or a former form, and whose missing
 * migrations older releases can run with; or a sentence that says why there is none. It represents the previous
 * release, because two nodes share only the database.
 */
export async function olderTree(): Promise<OlderTree | string> {
  const files = await migrationFiles();
  const commits = git('log', '--format=%H')?.split('\n').filter(Boolean);
  if (!commits) return 'this is no clone with a history, which an older tree could be taken from';
  for (const commit of commits) {
    const names = git('ls-tree', '--name-only', commit, 'migrations/')?.split('\n').filter(Boolean) ?? [];
    const known = files.filter(({ name }) => names.includes(`migrations/${name}`));
    if (known.length !== names.length || known.length === files.length) continue;
    const migrations = known.map((file) => asOf(commit, file));
    if (!known.every((file, n) => isFormOf(file, migrations[n]?.checksum ?? ''))) continue;
    const newer = files.filter((file) => !known.includes(file));
    if (!newer.every(({ text }) => runsBesideOlder(text))) break;
    return { ...unpack(commit), commit: commit.slice(0, 7), migrations, newer };
  }
  return 'no commit of this clone has fewer migrations that newer ones only add to';
}

function asOf(commit: string, { name }: MigrationFile): MigrationFile {
  const text = git('show', `${commit}:migrations/${name}`) ?? '';
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
}

function unpack(commit: string): OtherTree & Pick<OlderTree, 'startsOverNewer'> {
  const tree = otherTree(execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 }));
  const migrate = readFileSync(join(tree.path, 'src/db/migrate.ts'), 'utf8');
  return { ...tree, startsOverNewer: migrate.includes('beside_older') };
}

/** The output of git; null when it fails. */
function git(...words: string[]): string | null {
  try {
    return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return null;
  }
}
