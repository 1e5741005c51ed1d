import { statfs } from 'node:fs/promises';

/** The space in MiB that this user may fill on the disk of `path`; null if there is no such path. */
export async function freeMbOf(path: string): Promise<number | null> {
  const found = await statfs(path).catch(() => null);
  return found && (found.bavail * found.bsize) / 1024 ** 2;
}
