import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSessionToken, sessionCookie } from './session.ts';

test('under HTTPS, the cookie is bound to this host and never sent unencrypted', () => {
  const { name, options } = sessionCookie('https://tocsin.example.com');
  assert.equal(name, '__Host-tocsin');
  assert.deepEqual(options, { path: '/', httpOnly: true, sameSite: 'lax', secure: true, maxAge: 2_592_000 });
});

test('on a loopback address without HTTPS, it has a plain name, which browsers accept there', () => {
  const { name, options } = sessionCookie('http://127.0.0.1:8080');
  assert.deepEqual([name, options.secure], ['tocsin', false]);
});

test('tokens are long, and no two are the same', () => {
  const tokens = Array.from({ length: 100 }, () => newSessionToken().token);
  assert.equal(new Set(tokens).size, 100);
  assert.ok(tokens.every((token) => Buffer.from(token, 'base64url').length === 32));
});
