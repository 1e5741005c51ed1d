import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relyingParty } from './relying-party.ts';

test('passkeys belong to a host with a name, over HTTPS or on this machine', () => {
  assert.deepEqual(relyingParty('https://tocsin.example.com'), {
    id: 'tocsin.example.com',
    origin: 'https://tocsin.example.com',
  });
  assert.deepEqual(relyingParty('http://localhost:8080'), {
    id: 'localhost',
    origin: 'http://localhost:8080',
  });
  for (const url of [
    'http://127.0.0.1:8080',
    'https://192.0.2.7',
    'https://[::1]:8443',
    'http://tocsin.example.com',
  ])
    assert.equal(relyingParty(url), null, url);
});
