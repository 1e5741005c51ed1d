import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { insertOrganization, insertTeam, type Rota, startRota } from '../../testing/schedules/story.ts';
import { teamOnCall } from './oncall.ts';
import { onCallQuery } from './read-store.ts';

/** A Wednesday; weekly shifts change hands on Monday at 08:00 UTC. */
const NOW = '2026-11-18T12:00:00Z';
const MONDAY = '2026-11-23T08:00:00Z';

async function onCall(rota: Rota, at = NOW) {
  const team = await teamOnCall(rota.db, rota.organizationId, rota.teamId, Temporal.Instant.from(at));
  return {
    stages: team.stages.map(({ stage, escalateAfterMs, people }) => [
      stage,
      escalateAfterMs,
      people.map(({ userId }) => rota.handle(userId)),
    ]),
    backstops: team.backstops.map(({ userId }) => rota.handle(userId)),
    people: team.stages.flatMap(({ people }) => people),
  };
}

describe('the people of a team who are on call', () => {
  it('are listed by stage, with the shift and its end', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save({
      stages: [{ stage: 1.5, members: ['grace'] }, { stage: 1, members: ['ada', 'alan'] }, { members: [] }],
      backstop: 'grace',
    });
    const now = await onCall(rota);
    assert.deepEqual(now.stages, [
      [1, 300_000, ['ada']],
      [1.5, 300_000, ['grace']],
      [3, 300_000, []],
    ]);
    assert.deepEqual(now.backstops, ['grace']);
    const [ada] = now.people;
    assert.equal(ada?.scheduleId, id);
    assert.equal(ada?.scheduleName, 'SRE');
    assert.equal(ada?.shiftEndsAt.toString(), MONDAY);
    assert.equal(ada?.away, null);
    assert.ok((await rota.shifts(id)).some((shift) => shift.id === ada?.shiftId && shift.who === 'ada'));
  });

  it('change at the instant of the hand-off', async (t) => {
    const rota = await startRota(t, NOW);
    await rota.save({ stages: [{ members: ['ada', 'alan'] }] });
    const before = Temporal.Instant.from(MONDAY).subtract({ milliseconds: 1 }).toString();
    assert.deepEqual((await onCall(rota, before)).stages, [[1, 300_000, ['ada']]]);
    assert.deepEqual((await onCall(rota, MONDAY)).stages, [[1, 300_000, ['alan']]]);
  });

  it('come from all schedules, merged by stage with the shortest delay, and each person once', async (t) => {
    const rota = await startRota(t, NOW);
    await rota.save({
      name: 'Network',
      stages: [{ members: ['ada'], escalateAfterSeconds: 600 }, { members: ['grace'] }],
      backstop: 'grace',
    });
    await rota.save({
      name: 'Storage',
      stages: [{ members: ['ada', 'alan'], seats: 2, escalateAfterSeconds: 90 }],
      backstop: 'grace',
    });
    await rota.save({ name: 'Resting', enabled: false, stages: [{ members: ['grace'] }], backstop: 'alan' });
    const now = await onCall(rota);
    assert.deepEqual(now.stages, [
      [1, 90_000, ['ada', 'alan']],
      [2, 300_000, ['grace']],
    ]);
    assert.deepEqual(now.backstops, ['grace']);
    assert.equal(now.people[0]?.scheduleName, 'Network');
  });

  it('include people who are away, with the end of the absence', async (t) => {
    const rota = await startRota(t, NOW);
    await rota.save({ stages: [{ members: ['ada'] }] });
    await rota.away('ada', '2026-11-18T00:00:00Z', '2026-11-18T18:00:00Z');
    const longest = await rota.away('ada', '2026-11-18T06:00:00Z', '2026-11-19T00:00:00Z');
    await rota.away('ada', '2026-11-18T06:00:00Z', '2026-11-30T00:00:00Z', 'soft_unavailable');
    const [ada] = (await onCall(rota)).people;
    assert.deepEqual(
      { ...ada?.away, until: ada?.away?.until.toString() },
      { availabilityId: longest, name: 'Holiday', until: '2026-11-19T00:00:00Z' },
    );
    assert.equal((await onCall(rota, '2026-11-19T00:00:00Z')).people[0]?.away, null);
  });

  it('do not include disabled people', async (t) => {
    const rota = await startRota(t, NOW);
    await rota.save({ stages: [{ members: ['ada'] }], backstop: 'grace' });
    await rota.disable('ada');
    await rota.disable('grace');
    const { stages, backstops } = await onCall(rota);
    assert.deepEqual([stages, backstops], [[[1, 300_000, []]], []]);
  });

  it('do not exist for a team without schedules, or of another organization', async (t) => {
    const rota = await startRota(t, NOW);
    await rota.save({ stages: [{ members: ['ada'] }], backstop: 'ada' });
    const at = Temporal.Instant.from(NOW);
    const nobody = { stages: [], backstops: [], rounds: null };
    const empty = await insertTeam(rota.db, rota.organizationId, 'empty');
    assert.deepEqual(await teamOnCall(rota.db, rota.organizationId, empty, at), nobody);
    const stranger = await insertOrganization(rota.db);
    assert.deepEqual(await teamOnCall(rota.db, stranger, rota.teamId, at), nobody);
  });

  it('take the same time to find after years of shifts', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save({ stages: [{ members: ['ada'] }] });
    await sql`
      insert into shifts (id, organization_id, schedule_id, stage, user_id, planned_user_id, starts_at, ends_at,
        created_at, updated_at)
      select 'shift_' || hour, ${rota.organizationId}, ${id}, 1, ${rota.people.ada}, ${rota.people.ada},
        ${NOW}::timestamptz - interval '30 days' - hour * interval '1 hour',
        ${NOW}::timestamptz - interval '30 days' - (hour - 1) * interval '1 hour', now(), now()
      from generate_series(1, 20000) hour`.execute(rota.db);
    await sql`analyze shifts`.execute(rota.db);
    const query = onCallQuery(rota.organizationId, rota.teamId, Temporal.Instant.from(NOW));
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
      explain (analyze, buffers, format json) ${query}`.execute(rota.db);
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    const blocks = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    assert.ok(blocks > 0 && blocks < 40, `${blocks} blocks were read`);
  });
});
