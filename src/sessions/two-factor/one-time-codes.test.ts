import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generate } from 'otplib';
import { newRecoveryCodes, newSecret, recoveryHash, secretUri, stepOfCode } from './one-time-codes.ts';

const AT = Temporal.Instant.from('2026-11-20T12:00:10Z');
const STEP = Math.floor(AT.epochMilliseconds / 30_000);

describe('a code of an authenticator app', () => {
  const code = async (secret: string, seconds: number) =>
    generate({ secret, epoch: Math.floor(AT.epochMilliseconds / 1_000) + seconds });

  it('works for half a minute on either side, and once', async () => {
    const secret = await newSecret();
    assert.equal(await stepOfCode(secret, await code(secret, 0), AT, 0), STEP);
    assert.equal(await stepOfCode(secret, await code(secret, -30), AT, 0), STEP - 1);
    assert.equal(await stepOfCode(secret, await code(secret, 30), AT, 0), STEP + 1);
    assert.equal(await stepOfCode(secret, await code(secret, -90), AT, 0), null);
    assert.equal(await stepOfCode(secret, await code(secret, 90), AT, 0), null);
    assert.equal(await stepOfCode(secret, await code(secret, 0), AT, STEP), null);
    assert.equal(await stepOfCode(secret, await code(secret, -30), AT, STEP), null);
  });

  it('is nothing else', async () => {
    const secret = await newSecret();
    for (const wrong of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
      assert.equal(await stepOfCode(secret, wrong, AT, 0), null, wrong);
  });

  it('matches the secret in the app', async () => {
    const uri = new URL(
      await secretUri('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', 'ada@example.com', 'Acme: Bells'),
    );
    assert.equal(uri.searchParams.get('secret'), 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');
    assert.equal(uri.searchParams.get('issuer'), 'Tocsin Acme  Bells');
  });
});

it('recovery codes are ten different ones, and are read however people type them', () => {
  const codes = newRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) {
    assert.match(code, /^[a-z2-9]{5}-[a-z2-9]{5}$/);
    const right = recoveryHash('user', code);
    assert.deepEqual(recoveryHash('user', ` ${code.toUpperCase().replace('-', ' ')} `), right);
    assert.notDeepEqual(recoveryHash('other', code), right);
  }
  assert.equal(recoveryHash('user', '123456'), null);
});
