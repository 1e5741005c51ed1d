import assert from 'node:assert/strict';
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { boundLog } from './log-file.ts';

test('a log that grew past its limit is moved aside, and its writer continues', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-log-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'postgres.log');
  const writer = openSync(file, 'a');
  writeSync(writer, 'first\n');
  boundLog(file, 10);
  assert.equal(readFileSync(file, 'utf8'), 'first\n', 'below the limit it stays');

  appendFileSync(file, 'second\n');
  boundLog(file, 10);
  writeSync(writer, 'third\n');
  closeSync(writer);

  assert.equal(readFileSync(file, 'utf8'), 'third\n');
  assert.equal(readFileSync(`${file}.1`, 'utf8'), 'first\nsecond\n');
});
