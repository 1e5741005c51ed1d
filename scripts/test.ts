/**
 * Runs tests against a real PostgreSQL: `node scripts/test.ts [FILE …] [--test-name-pattern=… and other options of node
 * --test]`. With KEEP_TEST_DATABASE=1, the database stays for the next run, which then starts faster.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptPostgres } from '../testing/kept-postgres.ts';
import { withTestPostgres } from '../testing/postgres.ts';
import { shareProcesses } from '../testing/shared-processes.ts';
import { prepareTemplate } from '../testing/template.ts';
import type { Turns } from '../testing/turn.ts';

const everything = ['src', 'packages', 'demo', 'stories', 'testing', 'scripts', 'web/src'].map(
  (folder) => `${folder}/**/*.test.{ts,tsx}`,
);
/**
 * Processes of tests at once. Tests wait for programs for half of their time, so as many as there are processors would leave
 * those idle; but each may start a Chromium and a few servers, which take memory. Those beyond `everything` wait until
 * processors are idle (`testing/turn.ts`).
 */
const AT_ONCE = { everything: Math.min(availableParallelism() + 2, 8), whileIdle: 8, chosen: 3 };
const ERROR_OWNER = new URL('../testing/error-owner.ts', import.meta.url).href;
const ended = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ended.abort(signal));

process.exitCode = process.env.KEEP_TEST_DATABASE
  ? await run(await keptPostgres())
  : await withTestPostgres(run);

async function run(adminUrl: string): Promise<number> {
  const template = await prepareTemplate(adminUrl);
  const place = mkdtempSync(join(tmpdir(), 'tocsin-test-run-'));
  const args = process.argv.slice(2);
  const options = args.filter((arg) => arg.startsWith('-'));
  const files = args.filter((arg) => !arg.startsWith('-'));
  const everyFile = files.length === 0;
  const atOnce = everyFile ? AT_ONCE.whileIdle : AT_ONCE.chosen;
  const testOptions = [`--test-concurrency=${atOnce}`, '--test-reporter=spec', '--test-timeout=1800000'];
  try {
    // A few files start so few processes of the service that bundling it would take longer than it saves.
    const service = everyFile ? { TEST_SERVICE: await bundled(place) } : {};
    const chosen = everyFile ? shareProcesses(globSync(everything).sort(), place, turnsIn(place)) : files;
    if (ended.signal.aborted) return exitCodeOf(ended.signal.reason);
    const tests = spawn(
      process.execPath,
      ['--import', ERROR_OWNER, '--test', ...testOptions, ...options, ...chosen],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          ...service,
          // Share compiled code between hundreds of test processes and the servers that they start.
          NODE_COMPILE_CACHE: join(place, 'compiled'),
          TEST_DATABASE_URL: adminUrl,
          TEST_DATABASE_TEMPLATE: template,
        },
      },
    );
    ended.signal.addEventListener('abort', () => tests.kill(ended.signal.reason));
    const [code, signal] = (await once(tests, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? exitCodeOf(signal ?? 'SIGTERM');
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

function turnsIn(place: string): Turns {
  const directory = join(place, 'turns');
  mkdirSync(directory);
  return { directory, always: AT_ONCE.everything, most: AT_ONCE.whileIdle };
}

/** The bundler is loaded only for this, because it takes a second. */
async function bundled(place: string): Promise<string> {
  const { bundleService } = await import('../testing/service-bundle.ts');
  return bundleService(place);
}

function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
