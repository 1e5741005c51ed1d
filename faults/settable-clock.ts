import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A clock for programs that are started through `wrap`. Setting it changes the time of running programs. */
export type SettableClock = {
  /** A program that runs `program` with this clock. */
  wrap(program: string): string;
  /** Sets the clock to the real time plus `aheadSeconds`. */
  set(aheadSeconds: number): void;
  remove(): void;
};

const FOLDERS = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((name) => `/usr/lib/${name}/faketime`);
const INSTALL = fileURLToPath(new URL('../scripts/test-packages.sh', import.meta.url));

/**
 * Uses Debian's libfaketime, which intercepts reads of the system's clock; null where it is unavailable. The monotonic
 * clock is not affected, as when an operator sets the system's clock.
 */
export function settableClock(timeZone: string): SettableClock | null {
  spawnSync('sh', [INSTALL, 'faketime:faketime'], { stdio: 'ignore' });
  const library = FOLDERS.map((folder) => join(folder, 'libfaketime.so.1')).find(existsSync);
  if (!library) return null;
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-clock-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'ahead');
  const set = (aheadSeconds: number) => {
    // Replaced atomically, because programs read it whenever they read the clock.
    writeFileSync(`${file}.next`, `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}`, { mode: 0o644 });
    renameSync(`${file}.next`, file);
  };
  set(0);
  const surroundings = [
    `TZ=${timeZone}`,
    `LD_PRELOAD=${library}`,
    `FAKETIME_TIMESTAMP_FILE=${file}`,
    'FAKETIME_NO_CACHE=1',
    'FAKETIME_DONT_FAKE_MONOTONIC=1',
    'NO_FAKE_STAT=1',
  ].join(' ');
  return {
    wrap(program) {
      const wrapped = join(folder, 'program');
      writeFileSync(wrapped, `#!/bin/sh\nexec env ${surroundings} ${program} "$@"\n`);
      chmodSync(wrapped, 0o755);
      return wrapped;
    },
    set,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
