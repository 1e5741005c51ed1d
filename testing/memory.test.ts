import './own-process.ts';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeLeft } from './memory.ts';

test('only files of ended servers are removed', (t) => {
  const memory = mkdtempSync(join(tmpdir(), 'tocsin-memory-'));
  t.after(() => rmSync(memory, { recursive: true, force: true }));
  const gone = spawnSync(process.execPath, ['--version']).pid;
  const numbers = {
    'tocsin-test-gone': gone,
    'tocsin-test-gone-in-the-making': -gone,
    'tocsin-test-running': process.pid,
    'tocsin-test-made': -process.pid,
    'of-somebody-else': gone,
  };
  for (const [name, number] of Object.entries(numbers)) {
    mkdirSync(join(memory, name));
    writeFileSync(join(memory, name, 'postmaster.pid'), `${number}\n/data\n`);
  }
  mkdirSync(join(memory, 'tocsin-test-not-yet-begun'));
  removeLeft(memory);
  assert.deepEqual(readdirSync(memory).sort(), [
    'of-somebody-else',
    'tocsin-test-made',
    'tocsin-test-not-yet-begun',
    'tocsin-test-running',
  ]);
});
