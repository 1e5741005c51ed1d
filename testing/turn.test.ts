import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { takeTurn } from './turn.ts';

test('a process takes a free place at once', (t) => {
  const directory = placesOf(t, {});
  takeTurn({ directory, always: 2, most: 3 }, { idleShare: () => assert.fail('it waited') });
  assert.equal(ownerOf(directory, 1), process.pid);
  takeTurn({ directory, always: 2, most: 3 }, { idleShare: () => assert.fail('it waited') });
  assert.equal(ownerOf(directory, 2), process.pid);
});

test('a process waits for a free place while processors are busy', (t) => {
  const directory = placesOf(t, { 1: process.pid });
  let looks = 0;
  const idleShare = () => {
    if (++looks === 10) rmSync(join(directory, '1'));
    return 0;
  };
  takeTurn({ directory, always: 1, most: 2 }, { idleShare, againMs: 1 });
  assert.equal(looks, 10);
  assert.equal(ownerOf(directory, 1), process.pid);
  assert.ok(!existsSync(join(directory, '2')));
});

test('a process takes one more place while processors are idle, long enough after another one did', (t) => {
  const directory = placesOf(t, { 1: process.pid });
  let looks = 0;
  const idleShare = () => {
    if (++looks === 2) writeFileSync(join(directory, '2'), String(process.pid));
    return 0.5;
  };
  takeTurn({ directory, always: 1, most: 3 }, { idleShare, againMs: 1 });
  assert.equal(looks, 6);
  assert.equal(ownerOf(directory, 3), process.pid);
});

test('a process takes the place of one that was killed', (t) => {
  const directory = placesOf(t, { 1: 2 ** 30 });
  takeTurn({ directory, always: 1, most: 1 }, { idleShare: () => 0, againMs: 1 });
  assert.equal(ownerOf(directory, 1), process.pid);
});

function placesOf(t: TestContext, owners: Record<number, number>): string {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-turns-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  for (const [place, owner] of Object.entries(owners)) writeFileSync(join(directory, place), String(owner));
  return directory;
}

function ownerOf(directory: string, place: number): number {
  return Number(readFileSync(join(directory, String(place)), 'utf8'));
}
