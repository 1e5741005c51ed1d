import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import pg from 'pg';
import { runCommandLine } from '../src/cli/main.ts';
import { type CommandLine, commandLine, type Ran, withoutProgress } from './command-line.ts';
import { testDatabase } from './database.ts';

export const example = new URL('../examples/acme.yaml', import.meta.url).pathname;

export type Commands = {
  tocsin: CommandLine;
  databaseUrl: string;
  /** Directory for files of the test. */
  folder: string;
  /** Writes a file into the directory and returns its path. */
  file(name: string, text: string): string;
  rows(statement: string): Promise<Record<string, unknown>[]>;
};

/** The command line on a database of its own, which is removed after the tests of the file. `tree`: the source tree to run. */
export async function commands(tree?: string): Promise<Commands> {
  const database = await testDatabase();
  const tocsin = commandLine(database.url, tree);
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-files-'));
  after(async () => {
    tocsin.remove();
    rmSync(folder, { recursive: true });
    await database.drop();
  });
  return {
    tocsin,
    databaseUrl: database.url,
    folder,
    file(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    async rows(statement) {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(statement)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

/**
 * The same, but commands run in this process, because starting one takes longer than most of them: for files about what
 * commands do with the data, not about the command line. Commands have no input.
 */
export async function commandsHere(): Promise<Commands> {
  const made = await commands();
  const { env } = made.tocsin;
  const run: CommandLine['run'] = (args, options = {}) => runHere(args, { ...env, ...options.env });
  return { ...made, tocsin: { ...made.tocsin, run } };
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

/** Asserts that a command failed: nothing on stdout and one sentence on stderr. */
export function refused({ code, stdout, stderr }: Ran, sentence: RegExp, exitCode = 1): void {
  assert.equal(stdout, '');
  assert.match(stderr, sentence);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  assert.equal(code, exitCode);
}
