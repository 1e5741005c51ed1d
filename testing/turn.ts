import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** How many processes of a run work at once: as many as `always`, and up to `most` while processors are idle. */
export type Turns = { directory: string; always: number; most: number };

/** How often a process that waits looks again, and for how long processors have to be idle. */
const AGAIN_MS = 500;
const IDLE_LOOKS = 3;
/** The share of all processors that has to be idle. */
const IDLE = 0.1;

/**
 * Waits until this process may work, and keeps its place until it exits. Tests wait for programs and for time to pass,
 * some far more than others, so no fixed number of processes keeps the processors busy without crowding them.
 * It blocks, so that nothing that a file imports afterwards runs before.
 */
export function takeTurn(turns: Turns, { idleShare = measureIdle(), againMs = AGAIN_MS } = {}): void {
  let idleLooks = 0;
  let taken = places(turns);
  while (!takePlace(turns, idleLooks >= IDLE_LOOKS ? turns.most : turns.always)) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, againMs);
    const now = places(turns);
    // Another process that has just begun will use what was idle.
    const isSame = now.join() === taken.join();
    taken = now;
    idleLooks = idleShare() >= IDLE && isSame ? idleLooks + 1 : 0;
  }
}

/** Takes a free place among the first `count`; false when there is none. */
function takePlace({ directory }: Turns, count: number): boolean {
  for (let place = 1; place <= count; place++) {
    const path = join(directory, String(place));
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      freeIfDead(path);
      continue;
    }
    process.on('exit', () => rmSync(path, { force: true }));
    return true;
  }
  return false;
}

/** A process that was killed kept its place. Two that free it at once at worst let one more process work. */
function freeIfDead(path: string): void {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') rmSync(path, { force: true });
  }
}

/** Which places were taken when. */
function places({ directory }: Turns): string[] {
  return readdirSync(directory)
    .toSorted()
    .map((name) => `${name} ${statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs}`);
}

/** The share of all processors that was idle since the last call. */
function measureIdle(): () => number {
  let last = sum();
  return () => {
    const now = sum();
    const share = (now.idle - last.idle) / Math.max(1, now.all - last.all);
    last = now;
    return share;
  };
}

function sum(): { idle: number; all: number } {
  const times = cpus().map(({ times }) => times);
  const all = times.flatMap((one) => Object.values(one)).reduce((a, b) => a + b, 0);
  return { idle: times.reduce((total, { idle }) => total + idle, 0), all };
}
