import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFromElsewhere, isSameOrigin } from './same-origin.ts';

const OURS = 'https://tocsin.example.com';
const cases: [site: string | undefined, origin: string | undefined, same: boolean, elsewhere: boolean][] = [
  ['same-origin', undefined, true, false],
  ['same-origin', OURS, true, false],
  ['same-site', OURS, false, true],
  ['cross-site', OURS, false, true],
  ['none', undefined, false, false],
  [undefined, OURS, true, false],
  [undefined, 'https://evil.example', false, true],
  [undefined, 'https://tocsin.example.com.evil.example', false, true],
  [undefined, 'http://tocsin.example.com', false, true],
  [undefined, 'null', false, false],
  [undefined, undefined, false, false],
];

for (const [site, origin, same, elsewhere] of cases)
  test(`Sec-Fetch-Site ${site}, Origin ${origin}`, () => {
    assert.equal(isSameOrigin({ site, origin }, OURS), same);
    assert.equal(isFromElsewhere({ site, origin }, OURS), elsewhere);
  });

test('a path in the public address is not part of the origin', () => {
  assert.equal(isSameOrigin({ site: undefined, origin: OURS }, `${OURS}/`), true);
});
