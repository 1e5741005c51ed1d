import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const OWN_PROCESS = /^import '(\.\/|(\.\.\/)+(testing\/)?)own-process\.ts';$/m;
/** A package has no part of the service, and most of its tests start PostgreSQL. */
const IN_PACKAGE = /(^|\/)packages\//;

const TOGETHER = 10;

/**
 * Files to pass to `node --test` instead of `files`: adjacent files that do not import `own-process.ts` are combined into
 * one file in `directory` that imports them. Starting a process and loading the service takes longer than most of their
 * tests.
 */
export function shareProcesses(files: readonly string[], directory: string): string[] {
  const shared = files.filter((file) => !hasOwnProcess(file, readFileSync(file, 'utf8')));
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

/** Whether a test file runs in a process of its own. */
export function hasOwnProcess(path: string, text: string): boolean {
  return IN_PACKAGE.test(path) || OWN_PROCESS.test(text);
}
