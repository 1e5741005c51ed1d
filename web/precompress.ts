import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const WORTHWHILE_BYTES = 512;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Files of previous builds are kept for this long, for browsers that have the dashboard open. */
const KEPT_MS = 24 * 60 * 60_000;

/**
 * Writes `.br` and `.gz` files at the highest compression beside files that compress well. The service only picks one.
 */
export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir);
    },
    async closeBundle() {
      await forgetFormer(join(folder, 'assets'));
      for (const name of await readdir(folder, { recursive: true }))
        if (/\.(js|css|html|svg|webmanifest)$/.test(name)) await compress(join(folder, name));
    },
  };
}

async function forgetFormer(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if ((await changed(file)) < Date.now() - KEPT_MS) await rm(file);
  }
}

/** Time of the last change of a file, in epoch milliseconds; 0 when it does not exist. */
async function changed(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.mtimeMs ?? 0;
}

async function compress(file: string): Promise<void> {
  if ((await changed(`${file}.gz`)) > (await changed(file))) return;
  const content = await readFile(file);
  if (content.length < WORTHWHILE_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${file}.br`, await brotli(content, { params }));
  await writeFile(`${file}.gz`, await zip(content, { level: 9 }));
}
