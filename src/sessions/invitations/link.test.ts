import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSealing } from '../../kit/sealing.ts';
import { invitationUrl, mailedInvitationUrl, newInvitationToken, readInvitationToken } from './link.ts';

const sealing = createSealing(randomBytes(32));
const URL_ = 'https://tocsin.example.com';
const behind = (url: string) => url.split('#')[1] ?? '';

test('a copied link and a mailed one are for the same invitation, and only the mailed one proves the address', () => {
  const { token, hash, sealed } = newInvitationToken(sealing);
  assert.equal(sealing.open(sealed), token);
  const copied = readInvitationToken(sealing, behind(invitationUrl(URL_, token)));
  const mailed = readInvitationToken(sealing, behind(mailedInvitationUrl(URL_, token, sealing)));
  assert.deepEqual([copied.byMail, mailed.byMail], [false, true]);
  assert.deepEqual([copied.hash, mailed.hash], [hash, hash]);
});

test('nobody makes a mailed link of a copied one', () => {
  const { token } = newInvitationToken(sealing);
  const others =
    mailedInvitationUrl(URL_, newInvitationToken(sealing).token, sealing).split('.').at(-1) ?? '';
  for (const proof of ['', 'x', others])
    assert.equal(readInvitationToken(sealing, `${token}.${proof}`).byMail, false);
});
