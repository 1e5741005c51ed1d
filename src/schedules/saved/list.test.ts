import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpenSession } from '../../sessions/store.ts';
import type { DirectoryRow, OncallRow } from '../read-store.ts';
import { listOf, partOf, sessionsOf } from './list.ts';

const AT = Temporal.Instant.from('2028-02-29T08:41:00Z');

function schedule(id: string, organizationId = 'organization_a'): DirectoryRow {
  return { id, name: id, team: 'SRE', organizationId, organization: organizationId, backstop: null };
}

function shift(scheduleId: string, fromHours: number): OncallRow {
  const startsAt = AT.add({ hours: fromHours });
  return {
    ...{ scheduleId, stage: 1, startsAt, endsAt: startsAt.add({ hours: 12 }) },
    ...{ userId: 'user_ada', userName: 'Ada', userEmail: 'ada@example.com' },
    contactMethods: [{ type: 'phone', value: '+4915155500001', chatUserId: null }],
  };
}

function session(hash: string, endsInHours: number, organizationId = 'organization_a'): OpenSession {
  return { hash, organizationId, userId: 'user_ada', role: 'member', endsAt: AT.add({ hours: endsInHours }) };
}

const most = { schedules: 2, oncalls: 3, sessions: 2 };

describe('the saved on-call list', () => {
  it('has all shifts of 14 days', () => {
    const oncalls = [-1, 11, 23].map((hours) => shift('s1', hours));
    const list = listOf({ schedules: [schedule('s1')], oncalls, sessions: [] }, AT, most);
    assert.equal(list.until, '2028-03-14T08:41:00Z');
    assert.equal(list.shortened, false);
    const [only] = partOf(list, 'organization_a').schedules;
    assert.deepEqual(
      only?.oncalls.map(({ start_time }) => start_time),
      ['2028-02-29T07:41:00.000Z', '2028-02-29T19:41:00.000Z', '2028-03-01T07:41:00.000Z'],
    );
    assert.deepEqual(only?.oncalls[0]?.user, {
      name: 'Ada',
      email: 'ada@example.com',
      contact_methods: [{ type: 'phone', value: '+4915155500001' }],
    });
  });

  it('ends at the first shift that does not fit, and reports that', () => {
    const oncalls = [-1, 11, 23, 35].map((hours) => shift('s1', hours));
    const list = listOf({ schedules: [schedule('s1')], oncalls, sessions: [] }, AT, most);
    assert.equal(list.until, '2028-03-01T19:41:00Z');
    assert.equal(list.shortened, true);
    assert.equal(partOf(list, 'organization_a').schedules[0]?.oncalls.length, 3);
  });

  it('reports missing schedules when there are too many, and keeps the most recently used sessions', () => {
    const found = {
      schedules: ['s1', 's2', 's3'].map((id) => schedule(id)),
      oncalls: [],
      sessions: ['a', 'b', 'c'].map((hash) => session(hash, 5)),
    };
    const list = listOf(found, AT, most);
    assert.equal(list.shortened, true);
    assert.deepEqual(
      list.sessions.map(({ hash }) => hash),
      ['a', 'b'],
    );
    assert.equal(listOf({ ...found, schedules: found.schedules.slice(1) }, AT, most).shortened, false);
  });

  it('shows each organization only its own schedules', () => {
    const schedules = [schedule('s1'), schedule('s2', 'organization_b')];
    const list = listOf({ schedules, oncalls: [shift('s1', 0), shift('s2', 0)], sessions: [] }, AT, most);
    assert.deepEqual(
      partOf(list, 'organization_b').schedules.map(({ id, oncalls }) => [id, oncalls.length]),
      [['s2', 1]],
    );
    assert.deepEqual(partOf(list, 'organization_c').schedules, []);
  });
});

describe('saved sessions', () => {
  const list = listOf(
    { schedules: [], oncalls: [], sessions: [session('long', 24 * 10), session('short', 2)] },
    AT,
    most,
  );
  const sessions = sessionsOf(() => list);

  it('admit only the person of the session', () => {
    assert.deepEqual(sessions.find('long', AT), {
      ...{ organizationId: 'organization_a', userId: 'user_ada', role: 'member' },
      authentication: { kind: 'session', hash: 'long' },
    });
    assert.equal(sessions.find('unknown', AT), null);
    assert.equal(sessionsOf(() => null).find('long', AT), null);
  });

  it('end with the session, and 24 hours after the list was saved', () => {
    assert.ok(sessions.find('short', AT.add({ minutes: 119 })));
    assert.equal(sessions.find('short', AT.add({ minutes: 120 })), null);
    assert.ok(sessions.find('long', AT.add({ hours: 24 })));
    assert.equal(sessions.find('long', AT.add({ hours: 24, seconds: 1 })), null);
  });
});
