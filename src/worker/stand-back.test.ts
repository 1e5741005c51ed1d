import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '../../testing/eventually.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';
import { createStandBack } from './stand-back.ts';

/** Blocks the event loop. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

async function timeOf(stand: Promise<void>): Promise<number> {
  const began = performance.now();
  await stand;
  return performance.now() - began;
}

it('continues at once if nothing is urgent and the process is idle', async () => {
  const standBack = createStandBack(async () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await eventually(async () => (await timeOf(standBack())) < 90, true);
});

it('waits for urgent work, but not for ever', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const standBack = createStandBack(() => promise);
  const waited = await timeOf(standBack());
  assert.ok(waited >= 240 && waited < PATIENCE_MS, String(waited));
  resolve();
  await eventually(async () => (await timeOf(standBack())) < 200, true);
});

it('pauses while the process is busy', async () => {
  const standBack = createStandBack(async () => undefined);
  work(300);
  assert.ok((await timeOf(standBack())) >= 90);
});
