import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * What concerns the whole process that a file runs in, or takes long to begin anyway: hooks and waiting outside of any
 * suite, the process's own state, clocks that are replaced, browsers and other processes.
 */
const ALONE = new RegExp(
  [
    /^(before|after|beforeEach|afterEach)\(|^(const .* = )?await |\{ after \}\)/,
    /\bprocess\.|\bglobalThis\b|\bmock\./,
    /\bspawn|child_process|worker_threads|embedded\.ts|\bcluster\(|\bcommandLine\(|\blaunchBrowser\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'm',
);

const TOGETHER = 10;

/**
 * Files to hand to `node --test` instead of these: neighbours that leave their process as it is run in one together, as
 * a file in `directory` that imports them. To begin a process and load the service takes longer than most of their tests.
 */
export function shareProcesses(files: readonly string[], directory: string): string[] {
  const shared = files.filter((file) => !ALONE.test(readFileSync(file, 'utf8')));
  const alone = files.filter((file) => !shared.includes(file));
  const together: string[] = [];
  for (let at = 0; at < shared.length; at += TOGETHER) {
    const file = join(directory, `together-${together.length + 1}.test.mjs`);
    const imports = shared.slice(at, at + TOGETHER).map((path) => pathToFileURL(resolve(path)).href);
    writeFileSync(file, imports.map((url) => `import ${JSON.stringify(url)};\n`).join(''));
    together.push(file);
  }
  return [...together, ...alone];
}
