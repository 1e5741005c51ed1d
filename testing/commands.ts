import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { type CommandLine, commandLine, commandLineHere, type Ran } from './command-line.ts';
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
  return commandsWith((databaseUrl) => commandLine(databaseUrl, tree));
}

/** The same, but commands without input run in this process (`commandLineHere`). */
export async function commandsHere(): Promise<Commands> {
  return commandsWith(commandLineHere);
}

async function commandsWith(lineOf: (databaseUrl: string) => CommandLine): Promise<Commands> {
  const database = await testDatabase();
  const tocsin = lineOf(database.url);
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

/** Asserts that a command failed: nothing on stdout and one sentence on stderr. */
export function refused({ code, stdout, stderr }: Ran, sentence: RegExp, exitCode = 1): void {
  assert.equal(stdout, '');
  assert.match(stderr, sentence);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  assert.equal(code, exitCode);
}
