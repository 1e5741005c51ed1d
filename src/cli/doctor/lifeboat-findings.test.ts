import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type LifeboatFacts, lifeboatFindings } from './lifeboat-findings.ts';

const BOAT: LifeboatFacts = { host: 'api-1', state: 'ashore', copyAgeSeconds: 30, seenSecondsAgo: 1 };
const levelOf = (facts: Partial<LifeboatFacts>) =>
  lifeboatFindings([{ ...BOAT, ...facts }])[0]?.level ?? null;

it('finds lifeboats with an old copy or none, and those that ended with pages', () => {
  assert.equal(levelOf({}), 'fine');
  assert.equal(levelOf({ copyAgeSeconds: null }), 'note');
  assert.equal(levelOf({ copyAgeSeconds: 86_400 }), 'fine');
  assert.equal(levelOf({ copyAgeSeconds: 86_401 }), 'problem');
  assert.equal(levelOf({ state: 'afloat' }), 'note');
  assert.equal(levelOf({ state: 'landing' }), 'note');
  assert.equal(levelOf({ state: 'afloat', seenSecondsAgo: 60 }), 'problem');
  assert.equal(levelOf({ seenSecondsAgo: 60 }), null);
  assert.deepEqual(lifeboatFindings([]), []);
});
