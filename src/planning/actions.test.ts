import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCovers } from '../../testing/covers/story.ts';
import { type Rota, type ScheduleStory, startRota } from '../../testing/schedules/story.ts';

/** A Wednesday; weekly shifts change hands on Monday at 09:00 in Berlin, 08:00 UTC in winter. */
const NOW = '2026-11-18T12:00:00Z';
const weekly: ScheduleStory = { stages: [{ members: ['ada', 'alan', 'grace'] }] };

const brief = async (rota: Rota, id: string) =>
  (await rota.shifts(id)).map(({ stage, who, from, to }) => `${stage} ${who} ${from} ${to}`);

describe('an override that the file adds or removes', () => {
  const override = { who: 'grace', from: '2026-11-24T08:00:00Z', to: '2026-11-25T08:00:00Z' };

  it('notifies the person whom it puts on call, and the one whom it replaces', async (t) => {
    const rota = await startCovers(t);
    await rota.save({ ...weekly, overrides: [{ ...override, from: '2026-11-23T12:00:00Z' }] });
    assert.deepEqual(await rota.told(), [], 'nobody knew the first plan');
    await rota.save({ ...weekly, overrides: [] });
    assert.deepEqual(await rota.told(), ['alan shift.changed', 'grace shift.changed']);
    await rota.save({ ...weekly, overrides: [override] });
    assert.deepEqual(await rota.told(), ['alan shift.changed', 'grace shift.changed']);
    const texts = await rota.db.selectFrom('notices').select('text').orderBy('id', 'desc').limit(2).execute();
    assert.deepEqual(texts.map(({ text }) => /now on call|no longer on call/.exec(text)?.[0]).sort(), [
      'no longer on call',
      'now on call',
    ]);
    await rota.save({ ...weekly, overrides: [override] });
    await rota.save({ ...weekly, overrides: [override], planAheadWeeks: 8 });
    assert.deepEqual(await rota.told(), []);
  });
});

describe('saving a schedule', () => {
  it('lists each new and changed setting, and nothing when nothing differs', async (t) => {
    const rota = await startRota(t, NOW);
    const first = await rota.save({ ...weekly, backstop: 'grace', description: 'Round the clock' });
    assert.deepEqual(first.changes, [
      'is new: team Team sre, description "Round the clock", enabled yes, time zone Europe/Berlin, backstop Grace, strategy rotation, planned ahead 4 weeks, rest 0 hours, cover propose, rounds 3, acknowledgement timeout 30 minutes, ask again at medium urgency off, ask again at low urgency off, shifts every week, hand-off Monday 09:00',
      'stage 1: is new, members are Ada, Alan and Grace, escalates after 5 minutes',
    ]);
    const again = await rota.save({ ...weekly, backstop: 'grace', description: 'Round the clock' });
    assert.deepEqual([again.id, again.changes], [first.id, []]);
    const other = await rota.save({
      stages: [
        { members: ['alan', 'ada'], escalateAfterSeconds: 90, seats: 2 },
        { stage: 2.5, members: [] },
      ],
      shifts: { every: 'day' },
      restHours: 1,
      overrides: [{ who: 'grace', from: '2026-12-01T00:00:00Z', to: '2026-12-02T00:00:00Z' }],
    });
    assert.equal(other.id, first.id);
    assert.deepEqual(other.changes, [
      'description: was "Round the clock", is none',
      'backstop: was Grace, is nobody',
      'rest: was 0 hours, is 1 hour',
      'shifts: was every week, hand-off Monday 09:00, is every day, hand-off 09:00',
      'stage 1: members were Ada, Alan and Grace, are Alan and Ada',
      'stage 1: escalated after 5 minutes, escalates after 90 seconds',
      'stage 1: people at once were 1, are 2',
      'stage 2.5: is new, members are nobody, escalates after 5 minutes',
      'override by Grace in stage 1 from 2026-12-01T00:00:00.000Z to 2026-12-02T00:00:00.000Z: is new',
    ]);
    const back = await rota.save({ ...weekly, overrides: [] });
    assert.deepEqual(back.changes.slice(-5), [
      'stage 2.5: is removed',
      'stage 1: members were Alan and Ada, are Ada, Alan and Grace',
      'stage 1: escalated after 90 seconds, escalates after 5 minutes',
      'stage 1: people at once were 2, are 1',
      'override by Grace in stage 1 from 2026-12-01T00:00:00.000Z to 2026-12-02T00:00:00.000Z: is removed',
    ]);
  });

  it('keeps overrides that the definition does not mention, and past overrides always', async (t) => {
    const rota = await startRota(t, NOW);
    const past = { who: 'grace', from: '2026-11-16T10:00:00Z', to: '2026-11-17T10:00:00Z' };
    const future = { who: 'grace', from: '2026-11-20T10:00:00Z', to: '2026-11-21T10:00:00Z' };
    const { id } = await rota.save({ ...weekly, overrides: [past, future] });
    const stored = async () => {
      const rows = await rota.db
        .selectFrom('overrides')
        .select('starts_at')
        .where('schedule_id', '=', id)
        .execute();
      return rows.map(({ starts_at }) => starts_at.toString()).sort();
    };
    assert.deepEqual((await rota.save(weekly)).changes, []);
    assert.deepEqual(await stored(), [past.from, future.from]);
    await rota.save({ ...weekly, overrides: [] });
    assert.deepEqual(await stored(), [past.from]);
    const gone = await rota.save({ stages: [{ stage: 7, members: ['ada'] }] });
    assert.ok(gone.changes.some((change) => /override by Grace in stage 1 .* is removed/.test(change)));
  });

  it('saves everything or nothing', async (t) => {
    const rota = await startRota(t, NOW);
    await assert.rejects(rota.save({ stages: [{ members: ['somebody-unknown'] }] }), /foreign key/);
    assert.equal((await rota.db.selectFrom('schedules').selectAll().execute()).length, 0);
  });
});

describe('planning a schedule', () => {
  it('puts somebody on call now and plans ahead from hand-off to hand-off', async (t) => {
    const rota = await startRota(t, NOW);
    const { id, plan } = await rota.save(weekly);
    assert.deepEqual(await brief(rota, id), [
      '1 ada 2026-11-16T08:00:00Z 2026-11-23T08:00:00Z',
      '1 alan 2026-11-23T08:00:00Z 2026-11-30T08:00:00Z',
      '1 grace 2026-11-30T08:00:00Z 2026-12-07T08:00:00Z',
      '1 ada 2026-12-07T08:00:00Z 2026-12-14T08:00:00Z',
      '1 alan 2026-12-14T08:00:00Z 2026-12-21T08:00:00Z',
    ]);
    assert.deepEqual([plan.added, plan.changed, plan.removed, plan.gaps], [5, 0, 0, []]);
    assert.equal(plan.plannedUntil.toString(), '2026-12-21T08:00:00Z');
  });

  it('changes nothing when it runs again', async (t) => {
    const rota = await startRota(t, NOW, ['ada', 'alan', 'grace', 'joan']);
    await rota.away('alan', '2026-11-24T00:00:00Z', '2026-11-24T12:00:00.123456Z');
    await rota.away('ada', '2026-11-20T00:00:00Z', '2026-12-24T12:00:00Z');
    const { id } = await rota.save({
      stages: [
        { members: ['ada', 'alan'], seats: 2 },
        { members: ['ada', 'alan', 'grace'] },
        { members: [] },
      ],
      shifts: { every: '12 hours', handoff: '06:00' },
      restHours: 12,
      overrides: [{ stage: 2, who: 'joan', from: '2026-11-18T11:00:00Z', to: '2027-01-10T00:00:00.0005Z' }],
    });
    const before = await rota.db.selectFrom('shifts').selectAll().orderBy('id').execute();
    const { added, changed, removed } = await rota.plan(id);
    assert.deepEqual([added, changed, removed], [0, 0, 0]);
    assert.deepEqual(await rota.db.selectFrom('shifts').selectAll().orderBy('id').execute(), before);
  });

  it('leaves a published shift as planned when its person turns out to be away, and opens a cover', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save({ ...weekly, cover: 'apply' });
    const before = await rota.shifts(id);
    await rota.away('alan', '2026-11-25T00:00:00Z', '2026-11-26T00:00:00Z');
    const plan = await rota.plan(id);
    assert.deepEqual([plan.added, plan.changed, plan.removed], [0, 0, 0]);
    const after = await rota.shifts(id);
    assert.deepEqual(
      after.map(({ who, planned }) => `${who} for ${planned}`),
      [
        'ada for ada',
        'alan for alan',
        'grace for alan',
        'alan for alan',
        ...['grace', 'ada', 'alan'].map((who) => `${who} for ${who}`),
      ],
    );
    assert.deepEqual([after[1]?.id, after[4]?.id], [before[1]?.id, before[2]?.id]);
  });

  it('stores gaps as rows with names', async (t) => {
    const rota = await startRota(t, NOW);
    for (const who of ['ada', 'alan', 'grace'])
      await rota.away(who, '2026-12-02T00:00:00Z', '2026-12-03T00:00:00Z');
    const { id, plan } = await rota.save(weekly);
    assert.deepEqual(
      plan.gaps.map(({ stage, startsAt, endsAt }) => `${stage} ${startsAt} ${endsAt}`),
      ['1 2026-12-02T00:00:00Z 2026-12-03T00:00:00Z'],
      'the rest of the week is shared',
    );
    assert.ok((await brief(rota, id)).includes('1 null 2026-12-02T00:00:00Z 2026-12-03T00:00:00Z'));
    await rota.db.deleteFrom('availabilities').execute();
    assert.deepEqual((await rota.plan(id)).gaps, []);
  });

  it('adds and removes overrides', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save(weekly);
    const before = await rota.shifts(id);
    const override = { who: 'grace', from: '2026-11-24T00:00:00Z', to: '2026-11-25T00:00:00Z' };
    await rota.save({ ...weekly, overrides: [override] });
    assert.deepEqual(
      (await rota.shifts(id)).slice(0, 4).map(({ who, planned, from }) => `${who} ${planned} ${from}`),
      [
        'ada ada 2026-11-16T08:00:00Z',
        'alan alan 2026-11-23T08:00:00Z',
        'grace alan 2026-11-24T00:00:00Z',
        'alan alan 2026-11-25T00:00:00Z',
      ],
    );
    await rota.save({ ...weekly, overrides: [] });
    assert.deepEqual(await rota.shifts(id), before);
  });

  it('keeps the current shift when the pattern changes, and never changes the past', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save(weekly);
    const [first, second] = await rota.shifts(id);
    rota.clock.advance({ hours: 24 * 7 });
    await rota.save({ ...weekly, shifts: { every: 'day', handoff: '09:00' } });
    const after = await rota.shifts(id);
    assert.deepEqual(after.slice(0, 2), [first, second]);
    assert.deepEqual(
      after.slice(2, 5).map(({ who, from }) => `${who} ${from}`),
      ['grace 2026-11-30T08:00:00Z', 'grace 2026-12-01T08:00:00Z', 'grace 2026-12-02T08:00:00Z'],
      'her week stays hers, in days',
    );
  });

  it('takes a disabled person off call and out of overrides at once', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save({
      ...weekly,
      overrides: [{ who: 'ada', from: '2026-11-25T00:00:00Z', to: '2026-11-26T00:00:00Z' }],
    });
    await rota.disable('ada');
    await rota.plan(id);
    const [first, ...rest] = await rota.shifts(id);
    assert.equal(first?.who, 'ada');
    assert.ok(
      Temporal.Instant.compare(Temporal.Instant.from(first?.to ?? ''), await rota.clock.now(rota.db)) <= 0,
    );
    assert.ok(rest.every(({ who }) => who === 'alan' || who === 'grace'));
  });

  it('reassigns the rest of a shift whose person was deleted', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save(weekly);
    await rota.db
      .deleteFrom('users')
      .where('id', '=', rota.people.ada ?? '')
      .execute();
    assert.equal((await rota.shifts(id))[0]?.who, null);
    await rota.plan(id);
    const [first, second] = await rota.shifts(id);
    assert.deepEqual([first?.who, second?.who], [null, 'grace'], 'alan has the next one already');
    assert.equal(first?.to, second?.from);
  });

  it('resumes after a time without plans, and does not invent past shifts', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save(weekly);
    const before = await rota.shifts(id);
    rota.clock.advance({ hours: 24 * 70 });
    await rota.plan(id);
    const after = await rota.shifts(id);
    assert.deepEqual(after.slice(0, 5), before);
    assert.equal(after[5]?.from, '2027-01-25T08:00:00Z');
    assert.equal(after[5]?.who, 'grace', 'the rotation goes on where it stopped');
  });

  it('plans a disabled schedule as well', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save({ ...weekly, enabled: false });
    assert.equal((await rota.shifts(id)).length, 5);
  });

  it('never plans one schedule twice at the same time', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save(weekly);
    rota.clock.advance({ hours: 24 * 14 });
    const plans = await Promise.all([rota.plan(id), rota.plan(id), rota.plan(id), rota.plan(id)]);
    assert.deepEqual(plans.map(({ added }) => added).sort(), [0, 0, 0, 2]);
  });
});
