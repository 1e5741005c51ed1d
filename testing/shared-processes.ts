import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Patterns of test files that need a process of their own, because they affect all of it or start slowly: hooks and
 * waiting outside suites, process state, replaced clocks, browsers, other processes.
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
 * Files to pass to `node --test` instead of `files`: adjacent files that do not change their process are combined into
 * one file in `directory` that imports them. Starting a process and loading the service takes longer than most of their
 * tests.
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
