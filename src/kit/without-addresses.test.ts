import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withoutAddresses } from './private-addresses.ts';

it('removes internal addresses from system errors about a connection', () => {
  for (const [said, told] of [
    ['connect ECONNREFUSED 10.0.0.5:443', 'connect ECONNREFUSED its address'],
    ['connect ETIMEDOUT fd00::12:1:443', 'connect ETIMEDOUT its address'],
    ['connect ECONNREFUSED ::1:25', 'connect ECONNREFUSED its address'],
    ['read from [fe80::1]:8080 failed', 'read from its address failed'],
    ['getaddrinfo ENOTFOUND db.example.com', 'getaddrinfo ENOTFOUND db.example.com'],
    ['at 12:30:15: 550 5.7.1 refused', 'at 12:30:15: 550 5.7.1 refused'],
  ] as const)
    assert.equal(withoutAddresses(said), told);
});
