import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildah } from './commands.ts';
import { containerOf } from './containers.ts';
import type { Platform } from './platform.ts';
import type { Report } from './report.ts';

/** The user of the image, who owns its data. */
export const UID = 10_001;

/**
 * Compares the contents of the image with its platform: each program and library must be for its machine. Also checks
 * the owner of the data folder, because a start with another folder would not reveal a wrong one.
 */
export function checkPrograms(image: string, platform: Platform, report: Report): void {
  const container = containerOf(image, platform);
  try {
    const folder = buildah('mount', container);
    const found = programsIn(folder);
    const wrong = found.filter(({ machine }) => machine !== platform.machine);
    if (found.length === 0 || wrong.length > 0)
      throw new Error(
        `not for ${platform.name}: ${wrong.map(({ path }) => path).join(', ') || 'no program was found'}`,
      );
    const { uid, mode } = lstatSync(join(folder, 'data'));
    if (uid !== UID || (mode & 0o777) !== 0o700)
      throw new Error(
        `/data belongs to ${uid} with the mode ${(mode & 0o777).toString(8)}, not to ${UID} with 700`,
      );
    report.fact(`All ${found.length} programs and libraries in it are for ${platform.name}.`);
  } finally {
    buildah('rm', container);
  }
}

/** Each ELF file below the folder, with the machine of its header. Links are not followed. */
export function programsIn(folder: string): { path: string; machine: number }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(folder, path), machine: machineOf(path) }))
    .filter((file): file is { path: string; machine: number } => file.machine !== null);
}

const ELF = Buffer.from('\x7fELF');

function machineOf(path: string): number | null {
  const header = Buffer.alloc(20);
  const file = openSync(path, 'r');
  try {
    readSync(file, header);
  } finally {
    closeSync(file);
  }
  return header.subarray(0, 4).equals(ELF) ? header.readUInt16LE(18) : null;
}
