import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ROLES } from './contract.ts';
import { accessOf, may, mayActOn, mayGive, type Right, routeNames } from './rights.ts';

/** Repeats the table, so that nobody changes a right by accident. */
const EXPECTED: Record<Right, string> = {
  'organization.change': 'owner admin',
  'file.apply': 'owner',
  'organization.require_two_factor': 'owner',
  'audit.read': 'owner admin',
  'channels.test': 'owner admin',
  'providers.manage': 'owner admin',
  'system.read': 'owner admin',
  'people.change': 'owner admin',
  'people.invite': 'owner admin manager',
  'teams.create': 'owner admin',
  'teams.delete': 'owner admin',
  'team.change': 'owner admin manager',
  'team.members': 'owner admin manager',
  'team.schedules': 'owner admin manager',
  'team.webhooks': 'owner admin manager',
  'team.respond': 'owner admin team',
  'team.windows': 'owner admin manager team',
  'team.handoffs': 'owner admin manager team',
  'team.views': 'owner admin manager team',
  'reports.answers': 'owner admin manager',
  'pay.manage': 'owner admin',
  'availabilities.of_others': 'owner admin manager',
  'availability_sources.of_others': 'owner admin',
};

describe('the table of rights', () => {
  for (const [right, allowed] of Object.entries(EXPECTED) as [Right, string][])
    it(`${right}: ${allowed}`, () => {
      const who = [
        ...ROLES.filter((role) => role !== 'member' && may({ role }, right)),
        ...(may({ role: 'member', manages: true }, right) ? ['manager'] : []),
        ...(may({ role: 'member', ofTheTeam: true }, right) ? ['team'] : []),
        ...(may({ role: 'member' }, right) ? ['member'] : []),
      ];
      assert.equal(who.join(' '), allowed);
    });

  it('lets nobody act on people with a higher role, and lets members act on nobody', () => {
    const pairs = ROLES.flatMap((actor) =>
      ROLES.filter((target) => mayActOn(actor, target)).map((t) => `${actor} ${t}`),
    );
    assert.deepEqual(pairs, ['owner owner', 'owner admin', 'owner member', 'admin admin', 'admin member']);
  });

  it('lets nobody grant more than they have; managers can grant membership', () => {
    const given = (actor: Parameters<typeof mayGive>[0]) => ROLES.filter((role) => mayGive(actor, role));
    assert.deepEqual(given({ role: 'owner' }), ['owner', 'admin', 'member']);
    assert.deepEqual(given({ role: 'admin' }), ['admin', 'member']);
    assert.deepEqual(given({ role: 'member', manages: true }), ['member']);
    assert.deepEqual(given({ role: 'member' }), []);
  });

  it('lets saved sessions read one list while the database is away, and nothing else', () => {
    const open = routeNames().filter((name) => {
      const [method = '', path = ''] = name.split(' ');
      return accessOf(method, path).whileAway;
    });
    assert.deepEqual(open, ['GET /api/saved-on-call']);
    assert.equal(accessOf('GET', '/api/saved-on-call').door, 'signed in');
  });
});
