import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../src/cli/main.ts';
import { freePort } from './free-port.ts';
import { passedOn } from './passed-on.ts';
import { SHORT_LIVED, serviceProgram } from './service-program.ts';

/**
 * Exit code and output of a command. Lines in `stderr` that only report progress are left out, because they appear only
 * on slow machines.
 */
export type Ran = { code: number | null; stdout: string; stderr: string };

/** Runs the real command line in processes with an environment of their own. */
export type CommandLine = {
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], options?: { env?: Record<string, string>; input?: string }): Promise<Ran>;
  /** Starts a server that answers at `url` until it is stopped. Commands use the same installation. */
  serve(env?: Record<string, string>, options?: readonly string[]): Promise<Served>;
  /**
   * Stops servers that a failed test left running, which would keep this process alive, and removes the data directory.
   */
  remove(): void;
};

/** `said`: the output so far. */
export type Served = { url: string; pid: number; said(): string; stop(): Promise<void> };

/** `databaseUrl` null: with the embedded database. `tree`: the source tree to run. */
export function commandLine(databaseUrl: string | null, tree?: string): CommandLine {
  const main = tree === undefined ? serviceProgram() : join(tree, 'src', 'main.ts');
  const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-command-'));
  // The account that runs PostgreSQL needs access; otherwise the database would be created elsewhere.
  chmodSync(dataDir, 0o755);
  const env: Record<string, string> = {
    ...passedOn(),
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '0',
  };
  const servers: ChildProcess[] = [];
  return {
    env,
    async run(args, { env: more = {}, input = '' } = {}) {
      const child = spawn(process.execPath, [...SHORT_LIVED, main, ...args], { env: { ...env, ...more } });
      child.stdin.on('error', () => undefined).end(input);
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close') as Promise<[number | null]>,
      ]);
      return { code, stdout, stderr: withoutProgress(stderr) };
    },
    serve: (more = {}, options = []) => serve(main, { ...env, LOG_LEVEL: 'info', ...more }, options, servers),
    remove() {
      for (const server of servers) server.kill('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * The same, but commands without input run in this process, because starting one takes longer than most of them: for
 * files about what commands do, not about the program that runs them.
 */
export function commandLineHere(databaseUrl: string): CommandLine {
  const made = commandLine(databaseUrl);
  return {
    ...made,
    run: (args, options = {}) =>
      options.input === undefined ? runHere(args, { ...made.env, ...options.env }) : made.run(args, options),
  };
}

async function runHere(args: readonly string[], env: Record<string, string>): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const code = await runCommandLine(args, env, { stdout, stderr });
  stdout.end();
  stderr.end();
  const [result, notes] = await said;
  return { code, stdout: result, stderr: withoutProgress(notes) };
}

/** Lines that report progress appear only on slow machines. */
function withoutProgress(stderr: string): string {
  const progress =
    /^(Opening|Making|Applying|Planning|Solving|Saving|Asking|Reading|Restoring|Writing|PostgreSQL|Took over) .*\n/gm;
  return stderr.replace(progress, '');
}

async function serve(
  main: string,
  env: Record<string, string>,
  options: readonly string[],
  servers: ChildProcess[],
): Promise<Served> {
  const [port, uploadPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [...SHORT_LIVED, main, 'serve', ...options], {
    env: { ...env, PORT: String(port), UPLOAD_PORT: String(uploadPort) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  servers.push(child);
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('Tocsin is ready')) resolve();
    });
    child.on('exit', () => reject(new Error(`the server ended: ${log}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    said: () => log,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
