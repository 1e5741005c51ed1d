import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseClient } from './hosts.ts';

test('a connection that breaks while the role of its server is checked does not end the process', () => {
  // Nobody is listening at that time, because the pool listens only once the connection is open.
  assert.doesNotThrow(() => new DatabaseClient({ host: '127.0.0.1' }).emit('error', new Error('broken')));
});
