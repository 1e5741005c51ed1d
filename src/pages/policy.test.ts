import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayAct } from './policy.ts';

const STRANGER = { ofTheTeam: false, asked: false };

test('anyone of the team, and anyone who was asked, may act', () => {
  assert.equal(mayAct('member', { ofTheTeam: true, asked: false }), true);
  assert.equal(mayAct('member', { ofTheTeam: false, asked: true }), true);
  assert.equal(mayAct('member', STRANGER), false);
});

test('who runs the place may act on every page', () => {
  assert.equal(mayAct('admin', STRANGER), true);
  assert.equal(mayAct('owner', STRANGER), true);
});
