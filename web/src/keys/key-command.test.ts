import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyCommand } from './key-command.ts';

const about = { key: 'tocsin_x', origin: 'https://tocsin.example.com', team: 'sre' };

describe('the command beside a new key', () => {
  it('uses what the key may do', () => {
    const all = keyCommand({ ...about, scopes: null });
    assert.equal(all?.pages, true);
    assert.match(
      all?.command ?? '',
      /^curl -sS "https:\/\/tocsin.example.com\/page\/team" -H "Authorization: Bearer tocsin_x"/,
    );
    assert.match(all?.command ?? '', /"recipient": "sre".*"urgency": "low"/);
    assert.equal(
      keyCommand({ ...about, scopes: ['schedules'] })?.command,
      'curl -sS "https://tocsin.example.com/schedules" -H "Authorization: Bearer tocsin_x"',
    );
    assert.equal(keyCommand({ ...about, scopes: ['mcp:read'] }), null);
    assert.equal(keyCommand({ ...about, scopes: ['pages'], team: null }), null);
  });
});
