import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A real monitoring system that watches two things and notifies Tocsin of both. */
export type RealSender = {
  /** Titles of the pages about the first and the second thing. */
  titles: readonly [string, string];
  /** From now on, this thing has a problem. */
  begin(thing: Thing): Promise<void>;
  /** From now on, this thing is well. */
  end(thing: Thing): Promise<void>;
  /** Somebody acknowledges the problem of this thing in the monitoring system, as `ada` with the comment `On it`. */
  acknowledge(thing: Thing): Promise<void>;
  /** Kills the daemon with SIGKILL and starts it again. */
  die(): Promise<void>;
  /** Stops the daemon and removes its files. */
  stop(): Promise<void>;
};

/** Index of the thing. */
export type Thing = 0 | 1;

/** Writes the plugin `check NAME`, which reads a state from the file of that name; `healthy` never has a problem. */
export async function writeCheck(folder: string): Promise<void> {
  const check = `#!/bin/sh
read -r state text <"${folder}/$1"
printf '%s\\n' "$text"
exit "$state"
`;
  await writeFile(join(folder, 'check'), check, { mode: 0o755 });
  for (const name of ['healthy', '0', '1']) await writeFile(join(folder, name), '0 OK\n');
}

/** Changes the files that the plugin reads. */
export function watchedFiles(folder: string): Pick<RealSender, 'begin' | 'end'> {
  return {
    begin: (thing) => writeFile(join(folder, String(thing)), '2 It is "broken" & $(busy)\n'),
    end: (thing) => writeFile(join(folder, String(thing)), '0 OK\n'),
  };
}
