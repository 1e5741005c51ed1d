import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openVapid } from './secrets.ts';

it('push keys of the environment name the service as their contact, unless VAPID_SUBJECT is set', async () => {
  const keys = { publicKey: 'public', privateKey: 'private' };
  const subjectOf = async (subject: string | null, publicUrl: string) =>
    (await openVapid({ vapid: { ...keys, subject }, dataDir: '/none', publicUrl })).subject;
  assert.equal(await subjectOf(null, 'https://tocsin.example.com'), 'https://tocsin.example.com');
  assert.equal(
    await subjectOf('mailto:ops@example.com', 'https://tocsin.example.com'),
    'mailto:ops@example.com',
  );
  // Apple refuses localhost.
  assert.doesNotMatch(await subjectOf(null, 'http://127.0.0.1:8080'), /@localhost$/);
});
