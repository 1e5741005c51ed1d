import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CODE_POINT } from '../../testing/code-point.ts';
import { createSealing, randomToken, sha256 } from './sealing.ts';

const master = randomBytes(32);
const sealing = createSealing(master);
const wellFormed = fc.string({ unit: CODE_POINT }).filter((text) => text.isWellFormed());

describe('sealing', () => {
  it('opens sealed values, in another process with the same key as well', () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        assert.equal(createSealing(master).open(sealing.seal(text)), text);
      }),
    );
  });

  it('never seals the same way twice, so that equal secrets cannot be recognised', () => {
    const sealed = Array.from({ length: 100 }, () => sealing.seal('secret').toString('hex'));
    assert.equal(new Set(sealed).size, 100);
    assert.ok(sealed.every((hex) => !hex.includes(Buffer.from('secret').toString('hex'))));
  });

  it('opens nothing that was changed, cut or sealed with another key', () => {
    const sealed = sealing.seal('secret');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      assert.throws(() => sealing.open(changed), `byte ${index}`);
      assert.throws(() => sealing.open(sealed.subarray(0, index)), `cut to ${index}`);
    }
    assert.throws(() => createSealing(randomBytes(32)).open(sealed));
  });

  it('requires a key of 32 bytes', () => {
    for (const length of [0, 16, 31, 33]) assert.throws(() => createSealing(randomBytes(length)), /32 bytes/);
  });
});

describe('signing', () => {
  it('verifies a signature only for its text and purpose', () => {
    fc.assert(
      fc.property(wellFormed, wellFormed, (text, other) => {
        const signature = sealing.sign('acknowledge', text);
        assert.match(signature, /^[\w-]{22}$/);
        assert.equal(sealing.verify('acknowledge', text, signature), true);
        assert.equal(sealing.verify('calendar', text, signature), false);
        assert.equal(sealing.verify('acknowledge', other, signature), other === text);
        assert.equal(createSealing(randomBytes(32)).verify('acknowledge', text, signature), false);
      }),
    );
  });

  it('refuses signatures in any other format', () => {
    const signature = sealing.sign('acknowledge', 'text');
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const endings = [...last].filter((end) =>
      sealing.verify('acknowledge', 'text', signature.slice(0, -1) + end),
    );
    assert.deepEqual(endings, [signature.slice(-1)]);
    for (const wrong of [
      '',
      'x',
      signature.slice(1),
      `${signature}AA`,
      '!'.repeat(22),
      '\0'.repeat(22),
      signature.toUpperCase(),
    ])
      assert.equal(sealing.verify('acknowledge', 'text', wrong), false, wrong);
  });

  it('does not mix up purpose and text', () => {
    assert.notEqual(sealing.sign('a', 'bc'), sealing.sign('ab', 'c'));
  });
});

it('makes tokens that nobody can guess and every URL can contain', () => {
  const tokens = Array.from({ length: 1_000 }, randomToken);
  assert.equal(new Set(tokens).size, 1_000);
  for (const token of tokens) assert.match(token, /^[\w-]{43}$/);
});

it('computes the standard hash', () => {
  assert.equal(
    sha256('abc').toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
