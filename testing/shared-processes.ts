import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const OWN_PROCESS = /^import '(\.\/|(\.\.\/)+(testing\/)?)own-process\.ts';$/m;
/** A package has no part of the service, and most of its tests start PostgreSQL. */
const IN_PACKAGE = /(^|\/)packages\//;

const TOGETHER = 10;

/**
 * Files that take longest, longest first. They are started before all others, so that none of them runs alone at the
 * end. CONTRIBUTING.md says how to measure them.
 */
export const LONGEST = [
  'stories/faults.test.ts',
  'stories/real-clients.test.ts',
  'stories/histories.test.ts',
  'packages/embedded-postgres/interruption.test.ts',
  'src/apply/idempotence.test.ts',
  'stories/fail-over.test.ts',
  'stories/lifeboat.test.ts',
  'stories/dashboard-windows.test.ts',
  'stories/dashboard-looks.test.ts',
  'stories/dashboard-moments-looks.test.ts',
  'stories/schedules-looks.test.ts',
  'stories/secret-key.test.ts',
  'stories/starts-without-database.test.ts',
  'stories/lifeboat-dashboard.test.ts',
  'stories/real-senders-page.test.ts',
  'stories/dialect-clients.test.ts',
  'stories/bench-large.test.ts',
  'stories/root.test.ts',
];

/**
 * Files to pass to `node --test` instead of `files`. Adjacent files that do not import `own-process.ts` are combined into
 * one file in `directory` that imports them, because starting a process and loading the service takes longer than most of
 * their tests. The names are in the order in which the files should start: node --test sorts them.
 */
export function shareProcesses(files: readonly string[], directory: string): string[] {
  const shared = files.filter((file) => !hasOwnProcess(file, readFileSync(file, 'utf8')));
  const alone = files.filter((file) => !shared.includes(file));
  const together = Array.from({ length: Math.ceil(shared.length / TOGETHER) }, (_, at) =>
    shared.slice(at * TOGETHER, (at + 1) * TOGETHER),
  );
  const groups = inOrder([...together, ...alone.map((file) => [file])]);
  return groups.map((group, at) => {
    const file = join(directory, `${String(at + 1).padStart(4, '0')}.test.mjs`);
    const imports = group.map((path) => pathToFileURL(resolve(path)).href);
    writeFileSync(file, imports.map((url) => `import ${JSON.stringify(url)};\n`).join(''));
    return file;
  });
}

/**
 * The longest first. The others are mixed, the same way in each run: neighbours are of one kind, and those that compute
 * should run beside those that wait.
 */
function inOrder(groups: readonly string[][]): string[][] {
  const longest = (group: readonly string[]) => {
    const ranks = group.map((file) => LONGEST.findIndex((name) => file.endsWith(name)));
    return Math.min(...ranks.map((rank) => (rank === -1 ? LONGEST.length : rank)));
  };
  const mixed = (group: readonly string[]) =>
    createHash('sha256')
      .update(basename(group[0] ?? ''))
      .digest('hex');
  return groups.toSorted((a, b) => longest(a) - longest(b) || (mixed(a) < mixed(b) ? -1 : 1));
}

/** Whether a test file runs in a process of its own. */
export function hasOwnProcess(path: string, text: string): boolean {
  return IN_PACKAGE.test(path) || OWN_PROCESS.test(text);
}
