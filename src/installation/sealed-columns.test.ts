import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SEALED_COLUMNS } from './store.ts';

/** Hashes, public keys, and data that others sent. */
const NOT_SEALED = [
  ...['api_keys.key_hash', 'calendar_feeds.token_hash', 'challenges.hash', 'invitations.token_hash'],
  ...[
    'inbound_answers.id',
    'idempotency_keys.fingerprint',
    'idempotency_keys.answer',
    'passkeys.credential_id',
  ],
  ...['passkeys.public_key', 'received_notifications.body', 'recovery_codes.code_hash', 'sessions.id_hash'],
  ...['sign_in_attempts.subject', 'sign_in_links.token_hash', 'webhook_former_tokens.token_hash'],
  ...['page_sources.key_hash', 'webhooks.token_hash'],
];

test('every binary column is known to be encrypted or not, so that a rotation does not forget one', () => {
  const schema = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8');
  const found: string[] = [];
  let table = '';
  for (const line of schema.split('\n')) {
    table = /^create table (\w+)/.exec(line)?.[1] ?? table;
    const column = /^ {2}(\w+) bytea/.exec(line)?.[1];
    if (column) found.push(`${table}.${column}`);
  }
  const sealed = Object.values(SEALED_COLUMNS).map((names) => names.join('.'));
  assert.deepEqual(found.sort(), [...sealed, ...NOT_SEALED].sort());
});
