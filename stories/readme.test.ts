/** The commands of README.md and docs/api.md work as printed, on a machine with nothing set up. */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launchBrowser, openTab, type Tab } from '../testing/browser.ts';
import { freePort } from '../testing/free-port.ts';
import { passedOn } from '../testing/passed-on.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const START = 'npm start';
const TEST = 'npm test';

const folder = mkdtempSync(join(tmpdir(), 'tocsin-readme-'));
const [port, uploadPort] = [await freePort(), await freePort()];
const env: Record<string, string> = {
  ...passedOn(),
  HOME: process.env.HOME ?? folder,
  PORT: String(port),
  UPLOAD_PORT: String(uploadPort),
  DATA_DIR: join(folder, 'data'),
  DRAIN_SECONDS: '0',
};
const browser = await launchBrowser();
let reader: Tab | null = null;
const server = spawn('sh', ['-c', START], {
  cwd: root,
  env,
  detached: true,
  stdio: ['ignore', 'pipe', 'pipe'],
});

before(async () => {
  await serverReady();
});

after(async () => {
  await reader?.close();
  await browser.close();
  if (server.pid && server.exitCode === null) {
    const ended = once(server, 'exit');
    process.kill(-server.pid, 'SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

test('README.md: two commands are enough', () => {
  const readme = commandsOf('README.md');
  assert.deepEqual(readme.slice(0, 2), [START, TEST]);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  for (const command of ['start', 'test', 'check', 'bench']) assert.ok(command in scripts, command);
});

test('README.md: the commands lead to a page that somebody acknowledged', { timeout: 600_000 }, async () => {
  const [setUp = '', ...rest] = commandsOf('README.md').slice(2);
  const made = await run([setUp]);
  assert.equal(made.code, 0, made.output);
  reader = await openAndAnswer(/http:\S+\/sign-in\/[\w-]{43}$/m.exec(made.output)?.[0] ?? '');
  const { code, output: later } = await run(rest);
  const output = made.output + later;
  assert.equal(code, 0, output);
  assert.match(output, /^\+ schedule SRE$/m);
  assert.match(output, /\/sign-in\/[\w-]{43}$/m);
  assert.match(output, /^stage 1 /m);
  assert.match(output, /acknowledged/i);
  assert.match(output, /"service_request_id":"request_/);
  assert.match(output, /^http:\S+\/moment\/[\w-]{43}\/alertmanager$/m);
});

test('docs/api.md: every call is answered as documented', { timeout: 600_000 }, async () => {
  const { code, output } = await run(commandsOf('docs/api.md'));
  assert.equal(code, 0, output);
  const answers = output
    // An answer ends without a newline, so another one, or output of a slow command, may follow on its line.
    .split(/\n|(?<=\})(?=\{"|[A-Z])/)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown> & { response?: { status?: string } });
  const named = (name: string) => answers.filter((answer) => name in answer);
  assert.deepEqual(named('error'), []);
  assert.equal(named('service_request_id').length, 4);
  assert.deepEqual(
    answers.flatMap(({ response }) => response?.status ?? []),
    ['succeeded'],
  );
  assert.deepEqual(
    named('ok').map(({ ok }) => ok),
    [true, true],
  );
  assert.deepEqual(
    named('total_count').map((answer) => answer.total_count),
    [1],
  );
  assert.ok(named('oncalls').some(({ oncalls }) => (oncalls as unknown[]).length > 3));
});

/** The shell blocks of a page, as people would paste them. */
function commandsOf(path: string): string[] {
  const page = readFileSync(join(root, path), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block.trim());
  assert.ok(blocks.length > 1, path);
  return blocks;
}

/** Runs them in order in one shell, with this test's ports and folder in place of those in the text. */
async function run(commands: readonly string[]): Promise<{ code: number | null; output: string }> {
  const script = commands
    .join('\n')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${uploadPort}`)
    .replaceAll('absences.csv', join(folder, 'absences.csv'));
  assert.doesNotMatch(script, /:808\d/);
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${script}`], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Answers to curl end without a line break.
  const [output, [code]] = await Promise.all([text(shell.stdout), once(shell, 'close')]);
  return { code: code as number | null, output: output.replaceAll('}{', '}\n{') };
}

async function serverReady(): Promise<void> {
  let log = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('Tocsin is ready')) resolve();
    });
  server.on('exit', () => reject(new Error(`the server ended: ${log}`)));
  await promise;
}

/** Opens the link in a browser, leaves it open, and acknowledges every page. */
async function openAndAnswer(link: string): Promise<Tab> {
  const tab = await openTab(browser);
  await tab.page.goto(link);
  // From now on, Ada's open dashboard makes her reachable.
  const connected = tab.page.waitForResponse((response) => response.url().includes('/api/events'));
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  await connected;
  const acknowledge = tab.page.getByRole('alertdialog').getByRole('button', { name: 'Acknowledge' });
  const answer = async () => {
    while (!tab.page.isClosed()) {
      await acknowledge.click({ timeout: 0 });
    }
  };
  // It ends when the tab is closed, while it waits for the next alarm.
  answer().catch(() => undefined);
  return tab;
}
