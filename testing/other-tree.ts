import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The source of another release in a directory of its own. */
export type OtherTree = { path: string; remove(): void };

/** Unpacks a tar of source. It runs with the packages and the built dashboard of this tree. */
export function otherTree(tar: Buffer): OtherTree {
  const path = mkdtempSync(join(tmpdir(), 'tocsin-other-tree-'));
  // A server that root starts continues as another account, which reads the source as well.
  chmodSync(path, 0o755);
  execFileSync('tar', ['x', '--no-same-owner', '-C', path], { input: tar });
  mkdirSync(join(path, 'web'), { recursive: true });
  for (const part of ['node_modules', 'web/dist'])
    if (!existsSync(join(path, part))) symlinkSync(join(root, part), join(path, part));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}
