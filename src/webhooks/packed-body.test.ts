import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { unpackedBody } from './packed-body.ts';

const LIMIT = 1_024 * 1_024;
const plain = Buffer.from('{"status": "firing"}');

const unpacked = (encoding: string, body: Buffer) =>
  unpackedBody({ 'content-encoding': encoding }, body, LIMIT);
const problem = (encoding: string, body: Buffer) => {
  const result = unpacked(encoding, body);
  assert.ok('problem' in result);
  return result.problem;
};

describe('a compressed body', () => {
  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    [' X-GZIP ', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)
    it(`is read if it is compressed as ${encoding.trim()}`, () => {
      assert.deepEqual(unpacked(encoding, pack(plain)), { body: plain });
    });

  it('is read unchanged if it was never compressed, or was decompressed on the way', () => {
    assert.deepEqual(unpackedBody({}, plain, LIMIT), { body: plain });
    assert.deepEqual(unpacked('identity', plain), { body: plain });
    assert.deepEqual(unpacked('gzip', plain), { body: plain });
  });

  it('is refused with the problem', () => {
    assert.match(
      problem('aes128gcm', Buffer.from('x')),
      /^is compressed as "aes128gcm", which is not supported; send it plain, or as gzip/,
    );
    assert.match(problem('gzip, br', gzipSync(plain)), /^is compressed as "gzip, br"/);
    assert.match(problem('gzip', Buffer.from('no gzip')), /^is not valid gzip/);
    assert.match(problem('gzip', gzipSync(plain).subarray(0, 15)), /^is not valid gzip/);
  });

  it('is not decompressed beyond its limit', () => {
    const bomb = gzipSync(Buffer.alloc(64 * LIMIT, ' '));
    assert.ok(bomb.length < LIMIT);
    assert.equal(problem('gzip', bomb), 'is larger than 1,024 KiB when it is decompressed');
  });
});
