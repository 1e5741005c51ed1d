/**
 * Runs tests against a real PostgreSQL: `node scripts/test.ts [FILE …] [--test-name-pattern=… and other options of node
 * --test]`. With KEEP_TEST_DATABASE=1, the database stays for the next run, which then starts faster.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptPostgres } from '../testing/kept-postgres.ts';
import { withTestPostgres } from '../testing/postgres.ts';
import { shareProcesses } from '../testing/shared-processes.ts';
import { prepareTemplate } from '../testing/template.ts';

const everything = ['src', 'packages', 'demo', 'stories', 'testing', 'scripts', 'web/src'].map(
  (folder) => `${folder}/**/*.test.{ts,tsx}`,
);
const ended = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ended.abort(signal));

process.exitCode = process.env.KEEP_TEST_DATABASE
  ? await run(await keptPostgres())
  : await withTestPostgres(run);

async function run(adminUrl: string): Promise<number> {
  const template = await prepareTemplate(adminUrl);
  const place = mkdtempSync(join(tmpdir(), 'tocsin-test-run-'));
  try {
    if (ended.signal.aborted) return exitCodeOf(ended.signal.reason);
    const tests = spawn(process.execPath, ['--test', ...testOptions(process.argv.slice(2), place)], {
      stdio: 'inherit',
      env: {
        ...process.env,
        // Share compiled code between hundreds of test processes and the servers that they start.
        NODE_COMPILE_CACHE: join(place, 'compiled'),
        TEST_DATABASE_URL: adminUrl,
        TEST_DATABASE_TEMPLATE: template,
      },
    });
    ended.signal.addEventListener('abort', () => tests.kill(ended.signal.reason));
    const [code, signal] = (await once(tests, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? exitCodeOf(signal ?? 'SIGTERM');
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * The options of node --test. Files that were given run in a process each; otherwise files share processes through
 * modules in `place`.
 */
function testOptions(args: string[], place: string): string[] {
  const options = args.filter((arg) => arg.startsWith('-'));
  const files = args.filter((arg) => !arg.startsWith('-'));
  const chosen = files.length > 0 ? files : shareProcesses(globSync(everything).sort(), place);
  return ['--test-concurrency=3', '--test-reporter=spec', '--test-timeout=1800000', ...options, ...chosen];
}

function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
