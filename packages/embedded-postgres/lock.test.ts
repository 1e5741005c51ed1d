import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { PATIENCE_MS } from '../../testing/patience.ts';
import { openHome } from './home.ts';
import { tryLock, waitForLock } from './lock.ts';

test('one holder at a time, or several that share', (t) => {
  const path = join(temporaryDirectory(t), 'lock');
  const held = tryLock(path);
  assert.ok(held);
  assert.equal(tryLock(path), undefined);
  assert.equal(tryLock(path, 'shared'), undefined);
  held.release();

  const sharers = [tryLock(path, 'shared'), tryLock(path, 'shared')];
  assert.ok(sharers.every((lock) => lock));
  assert.equal(tryLock(path), undefined);
  for (const lock of sharers) lock?.release();
  tryLock(path)?.release();
});

test('a lock ends with its process, however that ends', async (t) => {
  const path = join(temporaryDirectory(t), 'lock');
  const holder = await holdElsewhere(t, path);
  assert.equal(tryLock(path), undefined);
  holder.kill('SIGKILL');
  const lock = await waitForLock(path, { waitMs: PATIENCE_MS });
  assert.ok(lock);
  lock.release();
});

test('who waits gets it, gives up after its time, or is called off', async (t) => {
  const path = join(temporaryDirectory(t), 'lock');
  const held = tryLock(path);
  assert.ok(held);
  assert.equal(await waitForLock(path, { waitMs: 30 }), undefined);
  await assert.rejects(waitForLock(path, { waitMs: 60_000, signal: AbortSignal.timeout(30) }), {
    name: 'AbortError',
  });
  const waiting = waitForLock(path, { waitMs: 60_000 });
  held.release();
  (await waiting)?.release();
});

test('to look at a DATA_DIR again does not lose the locks that this process holds there', async (t) => {
  const home = openHome(temporaryDirectory(t));
  const held = tryLock(home.serverLock);
  openHome(home.dataDir);
  tryLock(home.serverLock);
  await assert.rejects(holdElsewhere(t, home.serverLock), /is taken/);
  held?.release();
});

/** Another process that holds it until it is killed. */
async function holdElsewhere(t: TestContext, path: string) {
  const module = JSON.stringify(new URL('lock.ts', import.meta.url).href);
  const program = `
    const { tryLock } = await import(${module});
    globalThis.lock = tryLock(process.argv[1]);
    process.stdout.write(lock ? 'held' : 'taken');
    setInterval(() => lock, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => holder.kill('SIGKILL'));
  const [answer] = await once(holder.stdout, 'data');
  if (String(answer) !== 'held') throw new Error(`${path} is taken`);
  return holder;
}

function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-lock-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}
