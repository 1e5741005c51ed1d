import {
  brotliDecompressSync,
  gunzipSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib';
import { stored } from '../language/contract.ts';
import type { Headers } from '../moments/integrations/adapter.ts';

type Unpack = (body: Buffer, options: Pick<ZlibOptions, 'maxOutputLength'>) => Buffer;

const UNPACK = new Map<string, Unpack>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
]);

/**
 * Decodes a body by its `content-encoding`, to at most `limit` bytes, so that a small body cannot expand without limit.
 * On failure, returns the problem as a stored clause that begins with “is”. The body is stored, and its signature checked, as
 * received.
 */
export function unpackedBody(
  headers: Headers,
  body: Buffer,
  limit: number,
): { body: Buffer } | { problem: string; tooLarge?: boolean } {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity' || isUnpackedAlready(body)) return { body };
  const unpack = UNPACK.get(encoding);
  if (!unpack)
    return {
      problem: stored(
        'is compressed as {encoding}, which is not supported; send it plain, or as gzip, deflate, br or zstd',
        { encoding: JSON.stringify(encoding.slice(0, 60)) },
      ),
    };
  try {
    return { body: unpack(body, { maxOutputLength: limit }) };
  } catch (error) {
    return problemOf(error, encoding, limit);
  }
}

/** Some proxies decompress the body and leave the header unchanged. */
function isUnpackedAlready(body: Buffer): boolean {
  return /^\s*[[{]/.test(body.subarray(0, 20).toString('latin1'));
}

function problemOf(error: unknown, encoding: string, limit: number): { problem: string; tooLarge?: boolean } {
  if (!(error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'))
    return { problem: stored('is not valid {encoding}; compress it again, or send it plain', { encoding }) };
  const problem = stored('is larger than {limit} KiB when it is decompressed', {
    limit: (limit / 1_024).toLocaleString('en'),
  });
  return { problem, tooLarge: true };
}
