import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayAct } from './policy.ts';

const STRANGER = { ofTheTeam: false, notified: false };

test('anyone of the team, and anyone who was notified, may act', () => {
  assert.equal(mayAct('member', { ofTheTeam: true, notified: false }), true);
  assert.equal(mayAct('member', { ofTheTeam: false, notified: true }), true);
  assert.equal(mayAct('member', STRANGER), false);
});

test('who runs the place may act on every page', () => {
  assert.equal(mayAct('admin', STRANGER), true);
  assert.equal(mayAct('owner', STRANGER), true);
});
