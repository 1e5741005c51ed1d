import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { giveToOwner } from '../../../packages/embedded-postgres/home.ts';
import type { Sealing } from '../../kit/sealing.ts';
import type { SavedList } from './list.ts';

const NAME = 'on-call.sealed';
/** A larger file is damaged or not ours. */
const MOST_BYTES = 64 * 1024 * 1024;
/** An older draft was left by a process that ended while it wrote. */
const LEFT_AFTER_MS = 10 * 60 * 1_000;

/** The file of the saved list in a data directory. */
export function savedListPath(dataDir: string): string {
  return join(dataDir, NAME);
}

/**
 * Replaces the file at once and durably: readers see the old list or the new one, and nobody but its owner can read it.
 * @throws Error of the file system
 */
export async function writeSavedList(dataDir: string, sealing: Sealing, list: SavedList): Promise<void> {
  const path = savedListPath(dataDir);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const packed = await promisify(gzip)(JSON.stringify(list));
  const sealed = sealing.seal(packed.toString('base64'));
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(sealed);
      await file.sync();
    } finally {
      await file.close();
    }
    giveToOwner(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Makes the new name survive a loss of power. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Removes drafts that processes left when they ended while writing. */
export async function removeLeftDrafts(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((): string[] => []);
  for (const name of names.filter((one) => one.startsWith(`${NAME}.`))) {
    const found = await stat(join(dataDir, name)).catch(() => null);
    if (found && Date.now() - found.mtimeMs > LEFT_AFTER_MS)
      await rm(join(dataDir, name), { force: true }).catch(() => undefined);
  }
}

/** The file exists but cannot be used; the message gives the reason. */
export class SavedListFault extends Error {
  override name = 'SavedListFault';
}

/**
 * The saved list of a data directory; null when there is none.
 * @throws SavedListFault when the file cannot be read, or was sealed with another key
 */
export async function readSavedList(dataDir: string, sealing: Sealing): Promise<SavedList | null> {
  const path = savedListPath(dataDir);
  const sealed = await readBounded(path);
  if (!sealed) return null;
  const list = openList(sealing, sealed);
  if (list?.version === 1) return list;
  throw new SavedListFault(
    `${path} cannot be opened with this secret key, or another version of Tocsin wrote it; a node that reaches the database replaces it`,
  );
}

async function readBounded(path: string): Promise<Buffer | null> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES)
      throw new SavedListFault(
        `${path} is larger than the list can be; delete it, and a node that reaches the database writes it again`,
      );
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (error instanceof SavedListFault) throw error;
    throw new SavedListFault(`${path} cannot be read (${code}); give the user that runs this read access`);
  }
}

function openList(sealing: Sealing, sealed: Buffer): SavedList | null {
  try {
    const packed = Buffer.from(sealing.open(sealed), 'base64');
    return JSON.parse(gunzipSync(packed, { maxOutputLength: 4 * MOST_BYTES }).toString('utf8')) as SavedList;
  } catch {
    return null;
  }
}

/**
 * Seals the file with another key, without its sessions: they end when the key changes. Does nothing if there is no file
 * that the old key opens.
 * @throws Error of the file system
 */
export async function resealSavedList(dataDir: string, from: Sealing, to: Sealing): Promise<void> {
  const list = await readSavedList(dataDir, from).catch((error: unknown) => {
    if (error instanceof SavedListFault) return null;
    throw error;
  });
  if (list) await writeSavedList(dataDir, to, { ...list, sessions: [] });
}
