import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserName, placeOf } from './browser.ts';

test('only the part of an address that distinguishes home from elsewhere is stored', () => {
  assert.equal(placeOf('203.0.113.77'), '203.0.113.…');
  assert.equal(placeOf('::ffff:203.0.113.77'), '203.0.113.…');
  assert.equal(placeOf('2001:db8:7:1:2:3:4:5'), '2001:db8:7…');
  assert.equal(placeOf('::ffff:127.0.0.1'), 'this machine');
  assert.equal(placeOf('::1'), 'this machine');
});

const NAMES = {
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on macOS',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0':
    'Edge on Windows',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1':
    'Safari on iPhone',
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36':
    'Chrome on Android',
  node: 'Another browser',
  '': 'Another browser',
};
for (const [userAgent, name] of Object.entries(NAMES))
  test(`${name}, from ${JSON.stringify(userAgent.slice(0, 40))}`, () =>
    assert.equal(browserName(userAgent), name));
