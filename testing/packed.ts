import { execFileSync } from 'node:child_process';
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = ['bin', 'demo', 'examples', 'languages', 'migrations', 'packages', 'scripts', 'src', 'web'];
const FILES = ['package.json', 'package-lock.json', 'README.md', 'LICENSE'];

/**
 * Runs `npm pack` in a copy of this tree in `folder`, because it writes beside the source. Needs no network. Returns the
 * path of the package. The dashboard must be built, as `npm test` does.
 */
export function pack(folder: string): string {
  const tree = join(folder, 'tree');
  mkdirSync(tree, { recursive: true });
  for (const name of [...SOURCE, ...FILES])
    cpSync(join(root, name), join(tree, name), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  const printed = execFileSync('npm', ['pack', '--pack-destination', folder], {
    cwd: tree,
    encoding: 'utf8',
    // Build machines often set it. The package must be the same with it.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return join(folder, printed.trim().split('\n').at(-1) ?? '');
}

/**
 * Installs the package into `folder` as `npm install --omit=dev PACKAGE` does, but without network: the packages of its
 * lock file come from this tree. Returns the path of the command `tocsin`.
 */
export function install(packed: string, folder: string): string {
  const modules = join(folder, 'node_modules');
  const place = join(modules, 'tocsin');
  mkdirSync(place, { recursive: true });
  execFileSync('tar', ['-xzf', packed, '-C', place, '--strip-components=1']);
  for (const name of productionPackages(join(place, 'npm-shrinkwrap.json'))) copyPackage(name, folder);
  const command = join(modules, '.bin', 'tocsin');
  mkdirSync(dirname(command));
  symlinkSync('../tocsin/bin/tocsin.js', command);
  return command;
}

function productionPackages(lockFile: string): string[] {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.keys(packages).filter((name) => name !== '' && !packages[name]?.dev);
}

/** Packages for other platforms are not installed. Packages inside are in the list themselves. */
function copyPackage(name: string, folder: string): void {
  const from = join(root, name);
  for (const entry of readdirIfAny(from)) {
    if (entry.isDirectory() && entry.name === 'node_modules') continue;
    share(join(from, entry.name), join(folder, name, entry.name));
  }
}

function readdirIfAny(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Links files if both places are on one file system; that is much faster than a copy. */
function share(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source, target) => !linked(source, target),
  });
}

function linked(source: string, target: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch {
    return false;
  }
}
