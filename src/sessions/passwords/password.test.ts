import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashPassword, verifyPassword } from './hashing.ts';
import { passwordProblems } from './password.ts';

const KNOWN = ['ada@example.com', 'Ada Lovelace', 'Acme'];

describe('a password', () => {
  it('is refused if it is short, or common', () => {
    for (const password of [
      '',
      'tooshort1',
      'password123',
      'Tocsin2026',
      'aaaaaaaaaaaa',
      '1234567890',
      'lovelace12',
      'ada@example.com',
      'qwertyuiop',
      'x'.repeat(201),
    ])
      assert.equal(passwordProblems(password, KNOWN).length, 1, password);
  });

  it('may be anything else, in any script', () => {
    for (const password of [
      'correct horse battery',
      'grüne Gurken im Mai',
      '守夜人不睡覺的夜晚很長',
      'lovelace and the engine',
    ])
      assert.deepEqual(passwordProblems(password, KNOWN), [], password);
  });

  it('is stored as a hash that reveals nothing, and is verified', async () => {
    const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.notEqual(first, second);
    assert.equal(await verifyPassword('correct horse', first), true);
    assert.equal(await verifyPassword('correct horsE', first), false);
    assert.equal(
      await verifyPassword('u\u0308ber den Wolken', await hashPassword('\u00fcber den Wolken')),
      true,
    );
  });

  it('takes equally long to refuse if there is no account', async () => {
    assert.equal(await verifyPassword('', null), false);
    const hash = await hashPassword('correct horse');
    const time = async (stored: string | null) => {
      const began = performance.now();
      for (let round = 0; round < 4; round++) await verifyPassword('wrong', stored);
      return performance.now() - began;
    };
    await time(null);
    const ratio = (await time(null)) / (await time(hash));
    assert.ok(ratio > 0.25 && ratio < 4, `${ratio}`);
  });
});
