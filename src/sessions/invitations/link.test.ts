import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSealing } from '../../kit/sealing.ts';
import { handedInvitationUrl, mailedInvitationUrl, newInvitationToken, readInvitationToken } from './link.ts';

const sealing = createSealing(randomBytes(32));
const URL_ = 'https://tocsin.example.com';
const behind = (url: string) => url.split('#')[1] ?? '';

test('a handed-over link and a mailed link are for the same invitation, and each shows how it was delivered', () => {
  const { token, hash, sealed } = newInvitationToken(sealing);
  assert.equal(sealing.open(sealed), token);
  const handed = readInvitationToken(sealing, behind(handedInvitationUrl(URL_, token, sealing)));
  const mailed = readInvitationToken(sealing, behind(mailedInvitationUrl(URL_, token, sealing)));
  assert.deepEqual([handed.proof, mailed.proof], ['hand', 'mail']);
  assert.deepEqual([handed.hash, mailed.hash], [hash, hash]);
});

test('nobody can make a proving link from a bare token, or from another link', () => {
  const { token } = newInvitationToken(sealing);
  const others =
    mailedInvitationUrl(URL_, newInvitationToken(sealing).token, sealing).split('.').at(-1) ?? '';
  for (const proof of ['', 'x', others])
    assert.equal(readInvitationToken(sealing, `${token}.${proof}`).proof, null);
  assert.equal(readInvitationToken(sealing, token).proof, null);
});
