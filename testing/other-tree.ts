import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The source of another release in a directory of its own. */
export type OtherTree = { path: string; remove(): void };

/** Unpacks a tar of source. It has the packages and the built dashboard of this tree; `installMissing` makes sure that it runs. */
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

/**
 * Installs the packages of a tree if it needs one that this tree no longer has. Takes a quarter of a minute and the network, so call it only
 * before the tree runs. @throws when npm fails
 */
export function installMissing({ path }: OtherTree): void {
  if (hasPackagesOf(path)) return;
  unlinkSync(join(path, 'node_modules'));
  // Stored releases have no lock file; their versions are pinned anyway.
  const install = existsSync(join(path, 'package-lock.json')) ? ['ci'] : ['install', '--no-package-lock'];
  execFileSync('npm', [...install, '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: path,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function hasPackagesOf(path: string): boolean {
  const { dependencies } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return Object.keys(dependencies).every((name) => existsSync(join(root, 'node_modules', name)));
}
