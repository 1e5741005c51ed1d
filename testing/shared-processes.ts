import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Turns } from './turn.ts';

const OWN_PROCESS = /^import '(\.\/|(\.\.\/)+(testing\/)?)own-process\.ts';$/m;
/** A package has no part of the service, and most of its tests start PostgreSQL. */
const IN_PACKAGE = /(^|\/)packages\//;

const TOGETHER = 25;
/** Stories in a browser take longest of all that share a process, and share their Chromium as well. */
const TOGETHER_IN_BROWSER = 8;
const IN_BROWSER = /\blaunchBrowser\b/;
/** It ends the browser of a process after the last of its files, so its hook is outside their suites. */
const BROWSER = fileURLToPath(new URL('browser.ts', import.meta.url));
const TURN = fileURLToPath(new URL('turn.ts', import.meta.url));

/**
 * Files that take longest, longest first. They are started before all others, so that none of them runs alone at the
 * end. The report of a whole run names the duration of each.
 */
export const LONGEST = [
  'stories/faults.test.ts',
  'stories/real-clients.test.ts',
  'stories/histories.test.ts',
  'stories/independent-plans.test.ts',
  'stories/fail-over.test.ts',
  'stories/lifeboat-dashboard.test.ts',
  'stories/lifeboat.test.ts',
  'stories/dashboard-schedules.test.ts',
  'src/covers/covers-properties.test.ts',
  'stories/fuzz.test.ts',
  'stories/dashboard-looks.test.ts',
  'stories/dashboard-moments-looks.test.ts',
  'src/availability/limits.test.ts',
  'stories/dashboard-sources.test.ts',
  'stories/starts-without-database.test.ts',
  'src/apply/idempotence.test.ts',
  'stories/dashboard-windows.test.ts',
  'stories/silent-dashboards.test.ts',
  'stories/bench-large.test.ts',
  'stories/real-senders-page.test.ts',
  'stories/bench-sources.test.ts',
  'stories/bench.test.ts',
  'scripts/adding-a-channel.test.ts',
  'stories/schedules-looks.test.ts',
  'stories/bench-schedules.test.ts',
  'packages/embedded-postgres/interruption.test.ts',
  'stories/secret-key.test.ts',
  'stories/dialect-clients.test.ts',
  'stories/root.test.ts',
  'stories/fuzz-dashboard.test.ts',
  'stories/calls-in-order.test.ts',
  'stories/reached-anyway.test.ts',
];

/**
 * Files to pass to `node --test` instead of `files`. Adjacent files that do not import `own-process.ts` are combined into
 * one file in `directory`, because starting a process and loading the service takes longer than most of their tests. Each
 * is a suite there, so that its hooks are those of the suite. The names are in the order in which the files should start:
 * node --test sorts them. With `turns`, each process first waits for its turn.
 */
export function shareProcesses(files: readonly string[], directory: string, turns?: Turns): string[] {
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const shared = files.filter((file) => !hasOwnProcess(file, texts.get(file) ?? ''));
  const alone = files.filter((file) => !shared.includes(file));
  const inBrowser = shared.filter((file) => IN_BROWSER.test(texts.get(file) ?? ''));
  const others = shared.filter((file) => !inBrowser.includes(file));
  const together = [...inGroups(others, TOGETHER), ...spread(inBrowser, TOGETHER_IN_BROWSER)];
  const isInBrowser = (group: readonly string[]) => group.some((file) => inBrowser.includes(file));
  const groups = inOrder([...together, ...alone.map((file) => [file])], isInBrowser);
  return groups.map((group, at) => {
    const file = join(directory, `${String(at + 1).padStart(4, '0')}.test.mjs`);
    const tests = group.length === 1 ? `await import(${urlOf(group[0] ?? '')});\n` : suitesOf(group, texts);
    writeFileSync(file, (turns ? waitOf(turns) : '') + tests);
    return file;
  });
}

function waitOf(turns: Turns): string {
  return `import { takeTurn } from ${urlOf(TURN)};\ntakeTurn(${JSON.stringify(turns)});\n`;
}

function suitesOf(group: readonly string[], texts: ReadonlyMap<string, string>): string {
  const isInBrowser = group.some((path) => IN_BROWSER.test(texts.get(path) ?? ''));
  return [
    `import { describe } from 'node:test';\n`,
    isInBrowser ? `await import(${urlOf(BROWSER)});\n` : '',
    ...group.map(
      (path) => `describe(${JSON.stringify(relative('.', path))}, () => import(${urlOf(path)}));\n`,
    ),
  ].join('');
}

function urlOf(path: string): string {
  return JSON.stringify(pathToFileURL(resolve(path)).href);
}

function inGroups(files: readonly string[], most: number): string[][] {
  return Array.from({ length: Math.ceil(files.length / most) }, (_, at) =>
    files.slice(at * most, (at + 1) * most),
  );
}

/** Groups without neighbours, because those that take longest have similar names. */
function spread(files: readonly string[], most: number): string[][] {
  const groups = Math.ceil(files.length / most);
  return Array.from({ length: groups }, (_, at) => files.filter((_file, index) => index % groups === at));
}

/**
 * The longest first, then the rest of those in a browser, which take longer than others. The others are mixed, the same way in
 * each run: neighbours are of one kind, and those that compute should run beside those that wait.
 */
function inOrder(
  groups: readonly string[][],
  isInBrowser: (group: readonly string[]) => boolean,
): string[][] {
  const longest = (group: readonly string[]) => {
    const ranks = group.map((file) => LONGEST.findIndex((name) => file.endsWith(name)));
    const others = isInBrowser(group) ? LONGEST.length : LONGEST.length + 1;
    return Math.min(...ranks.map((rank) => (rank === -1 ? others : rank)));
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
