import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CoverRota, startCovers, weekly } from '../../../testing/covers/story.ts';
import { announceAhead } from './announce.ts';
import { leadTimeOf } from './lead-time.ts';

const HOUR = 3_600_000;
const means = { unavailable: new Map(), allowPrivate: true };

/** Gives everybody except these people a verified email address. */
async function reachable(rota: CoverRota, ...but: string[]): Promise<void> {
  for (const [who, id] of Object.entries(rota.people)) if (!but.includes(who)) await verify(rota, id, who);
}

async function verify({ db, clock, organizationId }: CoverRota, userId: string, who: string): Promise<void> {
  const at = await clock.now(db);
  await db
    .insertInto('contact_methods')
    .values({
      id: `contact_method_${who}`,
      organization_id: organizationId,
      user_id: userId,
      type: 'email',
      value: `${who}@example.com`,
      position: 0,
      verified_at: at,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

async function announce(rota: CoverRota): Promise<string[]> {
  while (await announceAhead(rota, means));
  return rota.told();
}

async function manage(
  { db, organizationId, teamId, people }: CoverRota,
  who: string,
  role: 'manager' | 'member',
) {
  const at = Temporal.Instant.from('2025-01-01T00:00:00Z');
  const row = { organization_id: organizationId, team_id: teamId, user_id: people[who] ?? '', role };
  await db
    .insertInto('team_members')
    .values({ ...row, created_at: at })
    .execute();
}

describe('advance notices', () => {
  it('are sent a week, a day and an hour before, and once if the problem is found late', () => {
    const cases: [number, ReturnType<typeof leadTimeOf>][] = [
      [169 * HOUR, null],
      [168 * HOUR, 'week'],
      [25 * HOUR, 'week'],
      [24 * HOUR, 'day'],
      [2 * HOUR, 'day'],
      [HOUR, 'hour'],
      [-HOUR, 'hour'],
    ];
    for (const [ahead, leadTime] of cases) assert.equal(leadTimeOf(ahead), leadTime);
  });

  it('report a gap to the managers, owners and the backstop, three times', async (t) => {
    const rota = await startCovers(t, ['ada', 'alan', 'grace', 'joan']);
    await reachable(rota);
    await manage(rota, 'grace', 'manager');
    await rota.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', rota.people.joan ?? '')
      .execute();
    // Only Ada, who is away from the second week on: a gap from Monday 23 November 09:00 in Berlin.
    await rota.away('ada', '2026-11-23T08:00:00Z', '2026-11-30T08:00:00Z');
    await rota.save({ ...weekly, stages: [{ members: ['ada'] }], backstop: 'alan' });
    const gap = ['alan schedule.gap', 'grace schedule.gap', 'joan schedule.gap'];
    assert.deepEqual(await announce(rota), gap);
    assert.deepEqual(await announce(rota), []);
    await rota.clock.travelTo(rota.db, Temporal.Instant.from('2026-11-22T07:59:00Z'));
    assert.deepEqual(await announce(rota), []);
    await rota.clock.travelTo(rota.db, Temporal.Instant.from('2026-11-22T08:00:00Z'));
    assert.deepEqual(await announce(rota), gap);
    await rota.clock.travelTo(rota.db, Temporal.Instant.from('2026-11-23T07:30:00Z'));
    assert.deepEqual(await announce(rota), gap);
    await rota.clock.travelTo(rota.db, Temporal.Instant.from('2026-11-24T07:30:00Z'));
    assert.deepEqual(await announce(rota), []);
  });

  it('report a person who is on call soon and unreachable to them and, without managers, to the whole team', async (t) => {
    const rota = await startCovers(t);
    await reachable(rota, 'alan');
    for (const who of ['ada', 'alan']) await manage(rota, who, 'member');
    await rota.save(weekly);
    assert.deepEqual(await announce(rota), ['ada person.unreachable', 'alan person.unreachable']);
    await verify(rota, rota.people.alan ?? '', 'alan');
    await rota.clock.travelTo(rota.db, Temporal.Instant.from('2026-11-22T12:00:00Z'));
    assert.deepEqual(await announce(rota), []);
  });

  it('report a person whose contact method ends in a shift that began months ago', async (t) => {
    const rota = await startCovers(t);
    const { id } = await rota.save({ ...weekly, shifts: { every: '26 weeks' } });
    const [running] = await rota.shifts(id);
    assert.equal(running?.from, '2026-06-29T07:00:00Z');
    const who = running?.who ?? '';
    await reachable(rota, who);
    await manage(rota, who, 'manager');
    assert.deepEqual(await announce(rota), [`${who} person.unreachable`]);
  });

  it('report an open cover until somebody takes it', async (t) => {
    const rota = await startCovers(t);
    await reachable(rota);
    await manage(rota, 'ada', 'manager');
    const { id } = await rota.save(weekly);
    await rota.away('alan', '2026-11-25T00:00:00Z', '2026-11-26T00:00:00Z');
    await rota.settle();
    await rota.told();
    const told = ['ada cover.untaken', 'alan cover.untaken', 'grace cover.untaken'];
    assert.deepEqual(await announce(rota), told);
    await rota.clock.travelTo(rota.db, Temporal.Instant.from('2026-11-24T12:00:00Z'));
    assert.deepEqual(await announce(rota), told);
    await rota.db.updateTable('covers').set({ state: 'taken' }).where('schedule_id', '=', id).execute();
    await rota.clock.travelTo(rota.db, Temporal.Instant.from('2026-11-24T23:30:00Z'));
    assert.deepEqual(await announce(rota), []);
  });

  it('announce a shift an hour before it begins, not where it continues, and nobody is notified twice', async (t) => {
    const rota = await startCovers(t);
    await reachable(rota);
    await rota.save(weekly);
    await rota.save({ ...weekly, name: 'Alone', stages: [{ members: ['ada'] }] });
    await rota.clock.travelTo(rota.db, Temporal.Instant.from('2026-11-23T06:59:00Z'));
    assert.deepEqual(await announce(rota), []);
    await rota.clock.travelTo(rota.db, Temporal.Instant.from('2026-11-23T07:00:00Z'));
    const both = await Promise.all([announceAhead(rota, means), announceAhead(rota, means)]);
    assert.deepEqual(both.sort(), [false, true]);
    assert.deepEqual(await announce(rota), ['alan shift.starting']);
  });
});
