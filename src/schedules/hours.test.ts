import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Rota, startRota } from '../../testing/schedules/story.ts';
import { fingerprintOf } from '../planning/store.ts';

/** A Wednesday noon; Berlin is an hour ahead. */
const NOW = '2026-11-18T12:00:00Z';
const OFFICE = [{ days: ['mon-fri'], from: '09:00', to: '17:00' }];
const weekly = { every: 'week', hours: OFFICE };

/** `ada 18T11:00–18T16:00`, by start. */
async function brief(rota: Rota, id: string): Promise<string[]> {
  const shifts = (await rota.shifts(id)).toSorted((a, b) => (a.from < b.from ? -1 : 1) || a.seat - b.seat);
  return shifts.map(({ who, from, to }) => `${who} ${from.slice(8, 16)}–${to.slice(8, 16)}`);
}

describe('hours of the week', () => {
  it('give a week to one person, and nobody is on call outside: no row, no gap', async (t) => {
    const rota = await startRota(t, NOW);
    const { id, plan } = await rota.save({
      shifts: weekly,
      planAheadWeeks: 1,
      stages: [{ members: ['ada', 'alan'] }],
    });
    assert.deepEqual(plan.gaps, []);
    assert.deepEqual(
      await brief(rota, id),
      [
        ...['16', '17', '18', '19', '20'].map((day) => `ada ${day}T08:00–${day}T16:00`),
        ...['23', '24', '25', '26', '27'].map((day) => `alan ${day}T08:00–${day}T16:00`),
      ].slice(2),
    );
  });

  it('count an absence only where it overlaps the hours', async (t) => {
    const rota = await startRota(t, NOW);
    const at = { shifts: weekly, planAheadWeeks: 3, stages: [{ members: ['ada', 'alan'] }] };
    await rota.away('alan', '2026-11-24T18:00:00Z', '2026-11-25T06:00:00Z');
    await rota.away('ada', '2026-11-28T00:00:00Z', '2026-11-30T07:00:00Z');
    // Most of a day of five: more than the small part for which a shift is kept.
    await rota.away('alan', '2026-12-08T08:00:00Z', '2026-12-08T15:00:00Z');
    const { id } = await rota.save(at);
    const mondays = (await rota.shifts(id))
      .filter(({ from }) => new Date(from).getUTCDay() === 1)
      .map(({ who }) => who);
    assert.deepEqual(mondays, ['alan', 'ada', 'ada']);
  });

  it('do not change as time passes, between shifts and within them', async (t) => {
    for (const strategy of ['rotation', 'fair'] as const) {
      const rota = await startRota(t, NOW);
      const stages = [{ members: ['ada', 'alan', 'grace'], seats: 1 }, { members: ['grace', 'ada'] }];
      const { id } = await rota.save({ shifts: weekly, strategy, planAheadWeeks: 4, stages });
      let before = await rota.shifts(id);
      for (const hours of [1, 5, 14, 30, 26, 40, 100]) {
        rota.clock.advance({ hours });
        await rota.plan(id);
        const now = await rota.shifts(id);
        assert.deepEqual(now.slice(0, 3), before.slice(0, 3), 'what was stays');
        const known = new Map(now.map((shift) => [shift.id, shift]));
        for (const shift of before) assert.deepEqual(known.get(shift.id), shift, strategy);
        const again = await rota.plan(id);
        assert.deepEqual([again.added, again.changed, again.removed], [0, 0, 0]);
        before = now;
      }
    }
  });

  it('show a gap for each part of a shift that nobody can take, and an override outside the hours', async (t) => {
    const rota = await startRota(t, NOW);
    await rota.away('ada', '2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z');
    const { id, plan } = await rota.save({
      shifts: weekly,
      ...{ planAheadWeeks: 1, stages: [{ members: ['ada'] }] },
      overrides: [{ who: 'grace', from: '2026-11-21T10:00:00Z', to: '2026-11-21T12:00:00Z' }],
    });
    assert.ok(plan.gaps.length >= 1);
    const rows = await brief(rota, id);
    assert.ok(rows.includes('grace 21T10:00–21T12:00'));
    assert.ok(rows.includes('null 23T08:00–23T16:00'));
  });

  it('change at once, and leave the past alone', async (t) => {
    const rota = await startRota(t, NOW);
    const story = { planAheadWeeks: 1, stages: [{ members: ['ada', 'alan'] }] };
    const { id } = await rota.save({ ...story, shifts: weekly });
    rota.clock.advance({ hours: 21 });
    await rota.save({
      ...story,
      shifts: { ...weekly, hours: [{ days: ['mon-fri'], from: '09:00', to: '18:00' }] },
    });
    assert.deepEqual((await brief(rota, id)).slice(0, 4), [
      'ada 18T08:00–18T16:00',
      'ada 19T08:00–19T17:00',
      'ada 20T08:00–20T17:00',
      'alan 23T08:00–23T17:00',
    ]);
  });

  it('reassign nothing when shorter hours leave nothing of a shift', async (t) => {
    for (const members of [[], ['ada']]) {
      const rota = await startRota(t, '2026-11-20T11:48:00Z');
      const story = { strategy: 'fair' as const, planAheadWeeks: 1 };
      const shifts = { every: 'day', handoff: '14:00' };
      const { id } = await rota.save({ ...story, shifts, stages: [{ members: [] }] });
      const nights = { every: 'day', hours: [{ from: '20:00', to: '06:00' }] };
      await rota.save({ ...story, shifts: nights, stages: [{ members }] });
      const sign = await fingerprintOf(rota.db, id);
      const shiftsThen = await brief(rota, id);
      assert.equal(shiftsThen[1]?.slice(-17), '20T19:00–21T05:00');
      rota.clock.advance({ minutes: 1 });
      await rota.plan(id);
      assert.deepEqual(await brief(rota, id), shiftsThen);
      assert.equal(await fingerprintOf(rota.db, id), sign, 'and there is nothing to plan');
    }
  });
});

describe('patterns that begin on a date', () => {
  it('begin on that date, with nobody on call before', async (t) => {
    const rota = await startRota(t, NOW);
    const { id, plan } = await rota.save({
      shifts: { every: 'day', handoff: '09:00', from: '2026-11-25' },
      ...{ planAheadWeeks: 2, stages: [{ members: ['ada', 'alan'] }] },
    });
    assert.deepEqual(plan.gaps, []);
    assert.deepEqual((await brief(rota, id)).slice(0, 2), [
      'ada 25T08:00–26T08:00',
      'alan 26T08:00–27T08:00',
    ]);
    const later = await rota.save({
      name: 'Far ahead',
      shifts: { every: 'week', from: '2027-06-01' },
      ...{ planAheadWeeks: 2, stages: [{ members: ['ada'] }] },
    });
    assert.deepEqual(await brief(rota, later.id), []);
    rota.clock.advance({ hours: 24 * 190 });
    await rota.plan(later.id);
    assert.equal((await brief(rota, later.id))[0], 'ada 07T07:00–14T07:00');
  });

  it('replace others without changing the past', async (t) => {
    const rota = await startRota(t, NOW);
    const story = { planAheadWeeks: 3, stages: [{ members: ['ada', 'alan'] }] };
    const { id } = await rota.save({ ...story, shifts: { every: 'week' } });
    const before = await brief(rota, id);
    const changed = {
      every: 'week',
      changes: [{ from: '2026-12-02', every: 'day', handoff: '12:00' }],
    };
    await rota.save({ ...story, shifts: changed });
    const after = await brief(rota, id);
    assert.deepEqual(after.slice(0, 2), before.slice(0, 2));
    assert.deepEqual(after.slice(2, 6), [
      'ada 30T08:00–02T11:00',
      'ada 02T11:00–03T11:00',
      'ada 03T11:00–04T11:00',
      'ada 04T11:00–05T11:00',
    ]);
    const again = await rota.plan(id);
    assert.deepEqual([again.added, again.changed, again.removed], [0, 0, 0]);
  });
});

describe('holidays', () => {
  async function holiday(rota: Rota, scheduleId: string | null, ...dates: string[]): Promise<void> {
    const at = Temporal.Instant.from(NOW);
    const id = `holiday_calendar_${dates[0]}`;
    const row = { id, organization_id: rota.organizationId, schedule_id: scheduleId, name: 'Bank holidays' };
    await rota.db
      .insertInto('holiday_calendars')
      .values({ ...row, created_at: at, updated_at: at })
      .execute();
    await rota.db
      .insertInto('holidays')
      .values(dates.map((date) => ({ calendar_id: id, date, name: 'Holiday' })))
      .execute();
  }

  it('leave nobody on call at the configured times, and change nobody else', async (t) => {
    const rota = await startRota(t, NOW);
    const story = { shifts: weekly, planAheadWeeks: 2, stages: [{ members: ['ada', 'alan'] }] };
    const { id } = await rota.save(story);
    await holiday(rota, null, '2026-11-23', '2026-11-25');
    assert.equal((await rota.plan(id)).removed, 0, 'they weigh more, no less');
    const { plan } = await rota.save({ ...story, holidays: 'uncovered' });
    assert.deepEqual([plan.removed, plan.added, plan.gaps], [2, 0, []]);
    const week = (await brief(rota, id)).filter((row) => /^alan 2[3-7]/.test(row));
    assert.deepEqual(week, ['alan 24T08:00–24T16:00', 'alan 26T08:00–26T16:00', 'alan 27T08:00–27T16:00']);
  });

  it("cut round-the-clock shifts at local midnight, and use the schedule's hours if it has any", async (t) => {
    const rota = await startRota(t, NOW);
    await holiday(rota, null, '2026-11-20');
    const story = {
      shifts: { every: 'day', handoff: '09:00' },
      planAheadWeeks: 1,
      stages: [{ members: ['ada'] }],
    };
    const { id } = await rota.save({ ...story, holidays: 'uncovered' });
    assert.deepEqual((await brief(rota, id)).slice(1, 4), [
      'ada 19T08:00–19T23:00',
      'ada 20T23:00–21T08:00',
      'ada 21T08:00–22T08:00',
    ]);
    await holiday(rota, id, '2026-11-22');
    await rota.plan(id);
    assert.equal((await brief(rota, id))[1], 'ada 19T08:00–20T08:00');
  });
});

describe('layers of a stage', () => {
  it('follow the sun, each by its own clock, and share overlapping time', async (t) => {
    const rota = await startRota(t, NOW, ['ada', 'alan', 'grace', 'linus', 'yuki', 'ken']);
    const office = (zone: string, members: string[]) => ({
      ...{ members, timeZone: zone },
      shifts: { every: 'day', hours: [{ from: '09:00', to: '17:00' }] },
    });
    const { id } = await rota.save({
      planAheadWeeks: 1,
      stages: [
        {
          layers: [
            office('Europe/Berlin', ['ada', 'alan']),
            office('America/Los_Angeles', ['grace', 'linus']),
            office('Asia/Tokyo', ['yuki', 'ken']),
          ],
        },
      ],
    });
    assert.deepEqual((await brief(rota, id)).slice(0, 6), [
      'ada 18T08:00–18T16:00',
      'grace 18T17:00–19T01:00',
      'yuki 19T00:00–19T08:00',
      'alan 19T08:00–19T16:00',
      'linus 19T17:00–20T01:00',
      'ken 20T00:00–20T08:00',
    ]);
    const again = await rota.plan(id);
    assert.deepEqual([again.added, again.changed, again.removed], [0, 0, 0]);
  });

  it('let one person take part in several if their hours leave them free', async (t) => {
    const rota = await startRota(t, NOW);
    const part = (from: string, to: string) => ({
      members: ['ada'],
      shifts: { every: 'week', hours: [{ from, to }] },
    });
    const { id, plan } = await rota.save({
      planAheadWeeks: 1,
      stages: [{ layers: [part('08:00', '12:00'), part('14:00', '18:00')] }],
    });
    assert.deepEqual(plan.gaps, []);
    assert.ok((await rota.shifts(id)).every(({ who }) => who === 'ada'));
  });
});
