import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCovers, weekly } from '../../testing/covers/story.ts';

/** Alan's week. */
const WEEK = { from: '2026-11-23T08:00:00Z', to: '2026-11-30T08:00:00Z' };
const DAY = { from: '2026-11-25T00:00:00Z', to: '2026-11-26T00:00:00Z' };
const away = (rota: Awaited<ReturnType<typeof startCovers>>, who: string, { from, to }: typeof WEEK) =>
  rota.away(who, from, to);

describe('an absence over a published shift', () => {
  it('opens a cover for the overlapping time, and proposes one change without moving anything', async (t) => {
    const rota = await startCovers(t);
    const { id } = await rota.save(weekly);
    const before = await rota.shifts(id);
    await away(rota, 'alan', DAY);
    await rota.settle();
    assert.deepEqual(await rota.covers(id), [
      { stage: 1, who: 'alan', state: 'proposed', ...DAY, proposed: 'grace', taken: null },
    ]);
    assert.deepEqual(await rota.shifts(id), before);
    assert.deepEqual(await rota.told(), ['alan cover.opened', 'grace cover.asked']);
    await rota.settle();
    assert.deepEqual(await rota.told(), []);
    assert.equal((await rota.covers(id)).length, 1);
  });

  it('opens a cover in a shift that began half a year ago, too', async (t) => {
    const rota = await startCovers(t);
    const { id } = await rota.save({ ...weekly, shifts: { every: '26 weeks' } });
    const [running] = await rota.shifts(id);
    assert.equal(running?.from, '2026-06-29T07:00:00Z');
    await rota.settle();
    await away(rota, running?.who ?? '', DAY);
    await rota.settle();
    assert.deepEqual(
      (await rota.covers(id)).map(({ who, state, from, to }) => ({ who, state, from, to })),
      [{ who: running?.who, state: 'proposed', ...DAY }],
    );
  });

  it('is covered at once in schedules that apply covers; the planned person stays visible', async (t) => {
    const rota = await startCovers(t);
    const { id } = await rota.save({ ...weekly, cover: 'apply' });
    await away(rota, 'alan', DAY);
    await rota.settle();
    assert.deepEqual((await rota.line(id)).slice(0, 5), [
      '11-16 ada',
      '11-23 alan',
      '11-25 grace for alan',
      '11-26 alan',
      '11-30 grace',
    ]);
    assert.deepEqual(
      (await rota.covers(id)).map(({ state, taken }) => [state, taken]),
      [['applied', 'grace']],
    );
    assert.deepEqual(await rota.told(), ['alan shift.lost', 'grace shift.gained']);
    const { added, changed, removed } = await rota.plan(id);
    assert.deepEqual([added, changed, removed], [0, 0, 0]);
  });

  it('of a person with an override from outside is covered as well, and stays covered', async (t) => {
    const rota = await startCovers(t, ['ada', 'alan', 'grace', 'joan']);
    const overrides = [{ who: 'joan', ...DAY }];
    const { id } = await rota.save({ ...weekly, cover: 'apply', overrides });
    await away(rota, 'joan', DAY);
    await rota.settle();
    const covered = await rota.line(id);
    assert.ok(
      covered.some((line) => line.startsWith('11-25') && !line.startsWith('11-25 joan')),
      covered.join(', '),
    );
    await rota.settle();
    assert.deepEqual(await rota.line(id), covered);
    assert.deepEqual(
      (await rota.covers(id)).map(({ state }) => state),
      ['applied'],
    );
    await rota.told();
  });

  it('puts no override on a seat that the stage no longer has', async (t) => {
    const rota = await startCovers(t);
    const members = ['ada', 'alan', 'grace'];
    await rota.save({ ...weekly, stages: [{ members, seats: 2 }] });
    rota.clock.advance({ days: 1 });
    // Both need the one remaining seat; the newer one has it.
    const overrides = ['ada', 'grace'].map((who) => ({ who, ...DAY }));
    const { id } = await rota.save({ ...weekly, cover: 'apply', overrides });
    const friday = '2026-11-27T00:00:00Z';
    const holder = (await rota.shifts(id)).find(({ from, to }) => from <= friday && friday < to)?.who ?? '';
    await rota.away(holder, friday, '2026-11-28T00:00:00Z');
    await rota.settle();
    assert.deepEqual(
      (await rota.covers(id)).map(({ who, state }) => [who, state]),
      [[holder, 'applied']],
    );
    const coming = (await rota.shifts(id)).filter(({ to }) => to > '2026-11-20');
    assert.deepEqual(
      coming.filter(({ seat }) => seat > 1),
      [],
    );
    const { added, changed, removed } = await rota.plan(id);
    assert.deepEqual([added, changed, removed], [0, 0, 0]);
    await rota.told();
  });

  it('that is removed takes its cover with it, and the shift goes back', async (t) => {
    const rota = await startCovers(t);
    const proposing = await rota.save(weekly);
    const applying = await rota.save({ ...weekly, name: 'Web', cover: 'apply' });
    const before = await rota.shifts(applying.id);
    await away(rota, 'alan', DAY);
    await rota.settle();
    await rota.told();
    await rota.db.deleteFrom('availabilities').execute();
    await rota.settle();
    for (const { id } of [proposing, applying])
      assert.deepEqual(
        (await rota.covers(id)).map(({ state }) => state),
        ['withdrawn'],
      );
    assert.deepEqual(await rota.shifts(applying.id), before);
    assert.deepEqual(await rota.told(), ['alan shift.gained', 'grace cover.settled', 'grace shift.lost']);
  });

  it('affects every stage and schedule; nobody gets proposals for two stages at once', async (t) => {
    const rota = await startCovers(t, ['ada', 'alan', 'grace', 'joan']);
    const four = { members: ['ada', 'alan', 'grace', 'joan'] };
    const { id } = await rota.save({
      ...weekly,
      stages: [four, { members: ['grace', 'joan', 'ada', 'alan'] }],
    });
    await rota.away('alan', '2026-11-18T12:00:00Z', '2026-12-14T08:00:00Z');
    await rota.settle();
    const covers = await rota.covers(id);
    assert.ok(covers.length >= 2, JSON.stringify(covers));
    const shifts = await rota.shifts(id);
    for (const { proposed, from, to, stage } of covers)
      assert.ok(
        !shifts.some(
          (shift) => shift.who === proposed && shift.stage !== stage && shift.from < to && from < shift.to,
        ),
        proposed ?? 'nobody',
      );
  });

  it('is repaired in two parts, or by a chain, if nobody can take all of it', async (t) => {
    const rota = await startCovers(t);
    const { id } = await rota.save(weekly);
    await rota.away('ada', WEEK.from, '2026-11-26T08:00:00Z');
    await rota.away('grace', '2026-11-26T08:00:00Z', WEEK.to);
    await away(rota, 'alan', WEEK);
    await rota.settle();
    assert.deepEqual(
      (await rota.covers(id)).map(({ proposed }) => proposed),
      ['grace > ada'],
    );
  });

  it('is repaired by three changes if two are not enough, proven to be the fewest, once they are solved', async (t) => {
    const rota = await startCovers(t, ['alan', 'grace', 'joan', 'linus']);
    const stages = [
      { members: ['alan', 'grace'] },
      { members: ['grace', 'joan'] },
      { members: ['joan', 'linus'] },
    ];
    const { id } = await rota.save({ ...weekly, stages });
    await rota.away('alan', '2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z');
    await rota.plan(id);
    assert.deepEqual(await rota.covers(id), [], 'what plans waits for no solver, and notes it');
    await rota.settle();
    assert.deepEqual(
      (await rota.covers(id)).map(({ state, proposed }) => `${state} ${proposed}`),
      ['proposed linus > joan > grace'],
    );
    const { proposal } = await rota.db
      .selectFrom('covers')
      .select('proposal')
      .where('schedule_id', '=', id)
      .executeTakeFirstOrThrow();
    const { complete, proven } = proposal as { complete: boolean; proven: boolean };
    assert.deepEqual({ complete, proven }, { complete: true, proven: true });
    assert.deepEqual(await rota.told(), [
      'alan cover.opened',
      'grace cover.asked',
      'joan cover.asked',
      'linus cover.asked',
    ]);
    await rota.settle();
    assert.deepEqual(await rota.told(), []);
  });

  it('of four weeks is repaired as a whole, without anybody in two places or without rest', async (t) => {
    const members = ['alan', 'grace', 'joan', 'linus', 'ada'];
    const rota = await startCovers(t, members);
    const daily = { shifts: { every: 'day', handoff: '09:00' }, restHours: 24, cover: 'apply' as const };
    const { id } = await rota.save({ ...weekly, ...daily, stages: [{ members }] });
    await rota.away('alan', '2026-11-19T12:00:00Z', '2026-12-17T00:00:00Z');
    await rota.settle();
    const covers = await rota.covers(id);
    assert.ok(covers.length >= 5, JSON.stringify(covers));
    assert.deepEqual(new Set(covers.map(({ state }) => state)), new Set(['applied']));
    const shifts = await rota.shifts(id);
    for (const [index, { who, to }] of shifts.entries())
      assert.notEqual(shifts[index + 1]?.who, who, `no rest after ${to}`);
    await rota.settle();
    assert.deepEqual(await rota.shifts(id), shifts);
  });

  it('leaves a cover open if nobody can take it, notifies the managers of the team, and tries again', async (t) => {
    const rota = await startCovers(t);
    const { id } = await rota.save({ ...weekly, stages: [{ members: ['alan', 'grace'] }] });
    await away(rota, 'grace', WEEK);
    await rota.settle();
    const alan = await away(rota, 'alan', WEEK);
    await rota.settle();
    const open = (await rota.covers(id)).filter(({ state }) => state === 'open');
    assert.equal(open.length, 1, JSON.stringify([await rota.covers(id), await rota.line(id)]));
    await rota.db.deleteFrom('availabilities').where('id', '=', alan).execute();
    await rota.settle();
    assert.deepEqual((await rota.covers(id)).filter(({ state }) => state === 'proposed').length, 1);
  });

  it('that begins during a shift is covered from now on, and expires if nobody took it', async (t) => {
    const rota = await startCovers(t);
    const { id } = await rota.save(weekly);
    await rota.away('ada', '2026-11-17T00:00:00Z', '2026-11-20T00:00:00Z');
    const now = async () => (await rota.clock.now(rota.db)).epochMilliseconds;
    const before = await now();
    await rota.settle();
    const [cover] = await rota.covers(id);
    const from = Date.parse(cover?.from ?? '');
    assert.ok(before <= from && from <= (await now()), `from ${cover?.from}`);
    rota.clock.advance({ hours: 24 });
    await rota.settle();
    assert.equal((await rota.covers(id)).length, 1);
    rota.clock.advance({ hours: 48 });
    await rota.settle();
    assert.deepEqual(
      (await rota.covers(id)).map(({ state }) => state),
      ['expired'],
    );
  });
});

describe('covers and plans', () => {
  it('extending a plan does not move shifts of absent people, and later shifts are planned around the absence', async (t) => {
    const rota = await startCovers(t);
    const { id } = await rota.save(weekly);
    const before = await rota.shifts(id);
    await away(rota, 'alan', DAY);
    await rota.away('grace', '2026-12-22T00:00:00Z', '2026-12-23T00:00:00Z');
    await rota.settle();
    rota.clock.advance({ hours: 24 * 12 });
    await rota.plan(id);
    const after = await rota.shifts(id);
    assert.deepEqual(after.slice(0, 5), before);
    assert.deepEqual(
      after.slice(5).map(({ who }) => who),
      ['ada', 'grace'],
    );
  });

  it('are applied as soon as the schedule switches from proposing to applying, but not while it is disabled', async (t) => {
    const rota = await startCovers(t);
    const { id } = await rota.save({ ...weekly, enabled: false });
    await away(rota, 'alan', DAY);
    await rota.settle();
    assert.deepEqual(await rota.covers(id), []);
    await rota.save(weekly);
    assert.deepEqual(
      (await rota.covers(id)).map(({ state }) => state),
      ['proposed'],
    );
    await rota.save({ ...weekly, cover: 'apply' });
    assert.deepEqual(
      (await rota.covers(id)).map(({ state }) => state),
      ['applied'],
    );
    assert.deepEqual((await rota.line(id)).slice(1, 4), ['11-23 alan', '11-25 grace for alan', '11-26 alan']);
  });

  it('are settled once, however many nodes there are', async (t) => {
    const rota = await startCovers(t);
    const ids: string[] = [];
    for (let index = 0; index < 20; index++)
      ids.push((await rota.save({ ...weekly, cover: 'apply', name: `Schedule ${index}` })).id);
    await away(rota, 'alan', DAY);
    await Promise.all([rota.settle(), rota.settle(), rota.settle()]);
    for (const id of ids) assert.equal((await rota.covers(id)).length, 1);
  });

  it('are not opened by preferences, and people with a preference against them are proposed last', async (t) => {
    const rota = await startCovers(t, ['ada', 'alan', 'grace', 'joan']);
    const { id } = await rota.save({ ...weekly, stages: [{ members: ['ada', 'alan', 'grace', 'joan'] }] });
    await rota.away('alan', DAY.from, DAY.to, 'soft_unavailable');
    await rota.away('grace', DAY.from, DAY.to, 'soft_unavailable');
    await rota.settle();
    assert.deepEqual(await rota.covers(id), []);
    await away(rota, 'alan', DAY);
    await rota.settle();
    assert.deepEqual(
      (await rota.covers(id)).map(({ proposed }) => proposed),
      ['joan'],
    );
  });
});
