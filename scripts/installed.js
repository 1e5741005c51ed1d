// Tells by its exit code whether node_modules holds what package-lock.json asks for. npm keeps its own record of what
// it installed, so that a developer's `npm install` counts, too. Runs on any Node that npm runs on.
import { readFileSync } from 'node:fs';

const folder = new URL('../', import.meta.url);

function packagesOf(file) {
  const { '': _root, ...packages } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')).packages;
  return packages;
}

function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const found = packagesOf('node_modules/.package-lock.json');
  const sameVersion = (path) => found[path]?.version === wanted[path].version;
  // Optional packages for other platforms are left out.
  return Object.keys(wanted).every((path) => sameVersion(path) || (wanted[path].optional && !found[path]));
}

try {
  process.exitCode = isInstalled() ? 0 : 1;
} catch {
  process.exitCode = 1;
}
