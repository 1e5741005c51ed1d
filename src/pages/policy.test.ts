import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayAct } from './policy.ts';

const STRANGER = { ofTheTeam: false, notified: false };

test('members of the team, and people who were notified, may act', () => {
  assert.equal(mayAct('member', { ofTheTeam: true, notified: false }), true);
  assert.equal(mayAct('member', { ofTheTeam: false, notified: true }), true);
  assert.equal(mayAct('member', STRANGER), false);
});

test('owners and admins may act on every page', () => {
  assert.equal(mayAct('admin', STRANGER), true);
  assert.equal(mayAct('owner', STRANGER), true);
});
