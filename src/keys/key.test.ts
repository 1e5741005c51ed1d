import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SCOPES } from './contract.ts';
import { keyFromHeader, keyHash, mayUse, newKey } from './key.ts';

describe('an API key', () => {
  it('is recognisable, unique, and stored as a hash', () => {
    const keys = Array.from({ length: 1_000 }, newKey);
    assert.equal(new Set(keys.map(({ key }) => key)).size, 1_000);
    for (const { key, hash, hint } of keys) {
      assert.match(key, /^tocsin_[\w-]{32}$/);
      assert.ok(key.startsWith(hint) && hint.length === 11);
      assert.deepEqual(hash, keyHash(key));
      assert.equal(hash.length, 32);
    }
  });

  it('is found in both forms of the header, in any case and with or without quotes', () => {
    const { key } = newKey();
    for (const header of [
      `Bearer ${key}`,
      `bearer   ${key} `,
      `BEARER ${key}`,
      `Token token="${key}"`,
      `token token=${key}`,
      `TOKEN  TOKEN="${key}" `,
    ])
      assert.equal(keyFromHeader(header), key, header);
  });

  it('is not found in anything else', () => {
    const { key } = newKey();
    for (const header of [
      ...[
        '',
        key,
        'Bearer',
        'Bearer ',
        `Basic ${key}`,
        `Bearer ${key} ${key}`,
        `Bearer "${key}"`,
        `Bearer\t${key}`,
      ],
      ...[
        'Token',
        'Token token=',
        'Token token=""',
        `Token ${key}`,
        `Token token="${key}`,
        `Token key="${key}"`,
      ],
      ...[`Token token="${key}", token="x"`, `XBearer ${key}`, `Bearer${key}`],
    ])
      assert.equal(keyFromHeader(header), null, header);
  });

  it('is found in linear time, whatever the header', () => {
    const long = 'a'.repeat(100_000);
    const spaces = ' '.repeat(100_000);
    const started = performance.now();
    for (const header of [
      `Bearer ${long}`,
      `Bearer${spaces}x y`,
      `Token${spaces}token=`,
      `Token token="${long}${spaces}`,
    ])
      keyFromHeader(header);
    assert.ok(performance.now() - started < 5_000);
    fc.assert(fc.property(fc.string(), (header) => void keyFromHeader(header)));
  });
});

it('a key without scopes may do everything, and one with scopes only what they allow', () => {
  const credential = { keyId: 'api_key_1', organizationId: 'o', userId: 'u' };
  for (const scope of SCOPES) {
    assert.equal(mayUse({ ...credential, scopes: null }, scope), true);
    assert.equal(mayUse({ ...credential, scopes: [] }, scope), false);
    assert.equal(mayUse({ ...credential, scopes: [scope] }, scope), true);
    assert.equal(mayUse({ ...credential, scopes: SCOPES.filter((other) => other !== scope) }, scope), false);
  }
});
