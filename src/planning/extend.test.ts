import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Rota, startRota } from '../../testing/schedules/story.ts';
import { createLog } from '../kit/log.ts';
import { extendPlans } from './extend.ts';

const NOW = '2026-11-18T12:00:00Z';
const silent = createLog('silent');
const extend = (rota: Rota) => extendPlans(rota, silent);

describe('the duty that plans ahead', () => {
  it('extends a plan once it is a week too short, and not before', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save({ stages: [{ members: ['ada', 'alan'] }], planAheadWeeks: 4 });
    assert.equal(await extend(rota), 0);
    rota.clock.advance({ hours: 24 * 7 });
    assert.equal(await extend(rota), 0);
    rota.clock.advance({ hours: 24 * 5 });
    assert.equal(await extend(rota), 1);
    assert.equal(await extend(rota), 0);
    const shifts = await rota.shifts(id);
    assert.equal(shifts.at(-1)?.to, '2027-01-04T08:00:00Z');
    assert.deepEqual(
      shifts.map(({ who }) => who),
      ['ada', 'alan', 'ada', 'alan', 'ada', 'alan', 'ada'],
    );
  });

  it('never lets a plan of a single week run out', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save({
      stages: [{ members: ['ada', 'alan'] }],
      planAheadWeeks: 1,
      shifts: { every: 'day' },
    });
    for (let day = 0; day < 10; day++) {
      rota.clock.advance({ hours: 24 });
      await extend(rota);
      const now = await rota.clock.now(rota.db);
      const last = Temporal.Instant.from((await rota.shifts(id)).at(-1)?.to ?? '');
      assert.ok(now.until(last).total('hours') > 3 * 24);
    }
  });

  it('plans each schedule once, no matter how many nodes run it', async (t) => {
    const rota = await startRota(t, NOW);
    const ids: string[] = [];
    for (let index = 0; index < 12; index++)
      ids.push((await rota.save({ name: `Schedule ${index}`, stages: [{ members: ['ada', 'alan'] }] })).id);
    rota.clock.advance({ hours: 24 * 20 });
    const planned = await Promise.all([extend(rota), extend(rota), extend(rota)]);
    assert.equal(
      planned.reduce((sum, count) => sum + count, 0),
      12,
    );
    for (const id of ids) {
      const shifts = await rota.shifts(id);
      for (const [index, shift] of shifts.slice(1).entries()) assert.equal(shift.from, shifts[index]?.to);
    }
  });

  it('continues when it cannot plan one schedule', async (t) => {
    const rota = await startRota(t, NOW);
    const broken = await rota.save({ name: 'A', stages: [{ members: ['ada'] }] });
    const good = await rota.save({ name: 'B', stages: [{ members: ['ada'] }] });
    await rota.db
      .updateTable('schedules')
      .set({ pattern: '{"every":"moon"}' })
      .where('id', '=', broken.id)
      .execute();
    rota.clock.advance({ hours: 24 * 20 });
    const lines: string[] = [];
    const log = createLog('error', {
      write: (line: string) => lines.push(line),
    } as unknown as NodeJS.WritableStream);
    assert.equal(await extendPlans(rota, log), 1);
    assert.equal((await rota.shifts(good.id)).length, 8);
    assert.match(lines.join(''), new RegExp(`"scheduleId":"${broken.id}".*could not be planned`));
    assert.match(lines.join(''), /The stored shift pattern cannot be used: every is \\"moon\\"/);
  });
});
