import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Writes the service as JavaScript into `dist`, because Node.js does not strip types below node_modules. `npm pack` runs
 * it. Contains the modules that main.ts can reach, at the same relative paths, and the files that these read; so tests
 * stay outside. Types are replaced by spaces: line and column of a stack trace are those of the TypeScript.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist');

/** An imported module, or a file that `new URL(…, import.meta.url)` names. */
const MODULE = /(?<quote>['"])(?<path>\.{1,2}\/[^'"\s]*)\.ts\k<quote>/g;
const FILE = /new URL\(\s*'(?<path>[^']+)',\s*import\.meta\.url,?\s*\)/g;

compile();

function compile(): void {
  rmSync(target, { recursive: true, force: true });
  const modules = new Set<string>();
  const files = new Set<string>();
  for (const waiting = [join(root, 'src/main.ts')]; waiting.length > 0; ) {
    const module = waiting.pop() ?? '';
    if (modules.has(module)) continue;
    modules.add(module);
    const script = stripTypeScriptTypes(readFileSync(module, 'utf8'), { mode: 'strip' });
    for (const path of paths(script, MODULE)) waiting.push(join(dirname(module), `${path}.ts`));
    for (const path of paths(script, FILE)) if (!path.endsWith('.ts')) files.add(join(dirname(module), path));
    write(module.replace(/\.ts$/, '.js'), script.replaceAll(MODULE, '$<quote>$<path>.js$<quote>'));
  }
  for (const file of files) copy(file);
  process.stderr.write(`Compiled ${modules.size} modules of the service into dist.\n`);
}

function paths(script: string, pattern: RegExp): string[] {
  return [...script.matchAll(pattern)].map(({ groups }) => groups?.path ?? '');
}

function write(path: string, text: string): void {
  const place = join(target, relative(root, path));
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}

function copy(path: string): void {
  // This is how the program finds its own folder.
  if (path === root) return;
  if (path === join(root, 'package.json')) {
    const { name, version, type } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
    write(path, `${JSON.stringify({ name, version, type })}\n`);
    return;
  }
  cpSync(path, join(target, relative(root, path)), { recursive: true });
}
