import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { upsertAvailabilities } from '../availability/actions.ts';
import { createLog } from '../kit/log.ts';
import { extendPlans } from './extend.ts';
import { repairPlans } from './repair.ts';
import { type Rota, type ScheduleStory, startRota } from './testing.ts';

/** A Wednesday; weekly shifts change hands on Monday at 09:00 in Berlin, 08:00 UTC in winter. */
const NOW = '2026-11-18T12:00:00Z';
const silent = createLog('silent');
const proposing: ScheduleStory = { cover: 'propose', stages: [{ members: ['ada', 'alan', 'grace'] }] };
const applying: ScheduleStory = { ...proposing, cover: 'apply' };

const everyone = async (rota: Rota, id: string) => (await rota.shifts(id)).map(({ who }) => who);
const repair = ({ db, clock }: Rota) => repairPlans(db, clock, silent);
const extend = ({ db, clock }: Rota) => extendPlans(db, clock, silent);

/** Records an absence as an upload does. */
function record({ db, clock, organizationId, people }: Rota, who: string, from: string, to: string) {
  return db.transaction().execute(async (tx) =>
    upsertAvailabilities(tx, await clock.now(tx), organizationId, [
      {
        userId: people[who] ?? '',
        type: 'hard_unavailable',
        name: 'Ill',
        startsAt: Temporal.Instant.from(from),
        endsAt: Temporal.Instant.from(to),
      },
    ]),
  );
}

describe('an absence recorded after the shifts were planned', () => {
  it('leaves them alone where covers are proposed, and is planned around further ahead', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save(proposing);
    const before = await rota.shifts(id);
    assert.deepEqual(await everyone(rota, id), ['ada', 'alan', 'grace', 'ada', 'alan']);
    await record(rota, 'alan', '2026-11-25T00:00:00Z', '2026-11-26T00:00:00Z');
    await record(rota, 'grace', '2026-12-22T00:00:00Z', '2026-12-23T00:00:00Z');
    assert.equal(await repair(rota), false);
    const again = await rota.save(proposing);
    assert.deepEqual([again.plan.added, again.plan.changed, again.plan.removed], [0, 0, 0]);
    rota.clock.advance({ hours: 24 * 3 });
    assert.equal(await extend(rota), 0);
    rota.clock.advance({ hours: 24 * 9 });
    assert.equal(await extend(rota), 1);
    assert.deepEqual((await rota.shifts(id)).slice(0, 5), before);
    assert.deepEqual(
      (await everyone(rota, id)).slice(5),
      ['ada', 'grace'],
      'grace is away in the first week',
    );
  });

  it('is repaired by itself where covers are applied: the shift it hits, and no other', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save(applying);
    const before = await rota.shifts(id);
    await record(rota, 'alan', '2026-11-25T00:00:00Z', '2026-11-26T00:00:00Z');
    await repair(rota);
    const after = await rota.shifts(id);
    assert.deepEqual(await everyone(rota, id), ['ada', 'grace', 'grace', 'ada', 'alan']);
    assert.deepEqual(
      after.filter((_, index) => index !== 1),
      before.filter((_, index) => index !== 1),
    );
    assert.equal(after[1]?.id, before[1]?.id);
  });

  it('is repaired as soon as a schedule that proposed applies', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save(proposing);
    await record(rota, 'alan', '2026-11-25T00:00:00Z', '2026-11-26T00:00:00Z');
    const { changes, plan } = await rota.save(applying);
    assert.deepEqual(changes, ['cover: was propose, is apply']);
    assert.equal(plan.changed, 1);
    assert.deepEqual(await everyone(rota, id), ['ada', 'grace', 'grace', 'ada', 'alan']);
  });

  it('is planned around when the crew or the pattern changes, whatever the schedule says', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save(proposing);
    await record(rota, 'alan', '2026-11-25T00:00:00Z', '2026-11-26T00:00:00Z');
    await rota.save({ ...proposing, stages: [{ members: ['ada', 'alan'] }] });
    assert.deepEqual((await everyone(rota, id)).slice(0, 2), ['ada', 'ada']);
    await rota.save(proposing);
    await rota.save({ ...proposing, shifts: { every: 'day' } });
    for (const { who, from } of await rota.shifts(id))
      assert.ok(who !== 'alan' || (from !== '2026-11-24T08:00:00Z' && from !== '2026-11-25T08:00:00Z'), from);
  });
});

describe('the duty that repairs plans', () => {
  it('leaves the shift under way, disabled schedules and softer wishes alone', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save(applying);
    const off = await rota.save({ ...applying, name: 'Off', enabled: false });
    const [before, beforeOff] = [await rota.shifts(id), await rota.shifts(off.id)];
    await record(rota, 'ada', '2026-11-18T00:00:00Z', '2026-11-23T08:00:00Z');
    await rota.away('alan', '2026-11-24T00:00:00Z', '2026-11-25T00:00:00Z', 'soft_unavailable');
    await repair(rota);
    assert.deepEqual(await rota.shifts(id), before);
    await record(rota, 'alan', '2026-11-24T00:00:00Z', '2026-11-25T00:00:00Z');
    await repair(rota);
    assert.deepEqual(await rota.shifts(off.id), beforeOff);
    assert.notDeepEqual(await rota.shifts(id), before);
  });

  it('repairs what lies under an override, and leaves the override', async (t) => {
    const rota = await startRota(t, NOW);
    const override = { who: 'ada', from: '2026-11-24T00:00:00Z', to: '2026-11-25T00:00:00Z' };
    const { id } = await rota.save({ ...applying, overrides: [override] });
    await record(rota, 'alan', '2026-11-24T06:00:00Z', '2026-11-24T07:00:00Z');
    await repair(rota);
    assert.deepEqual(
      (await rota.shifts(id)).slice(1, 4).map(({ who, planned }) => `${who} for ${planned}`),
      ['grace for grace', 'ada for grace', 'grace for grace'],
    );
  });

  it('leaves a gap when nobody else can, and does not plan it again and again', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save({ ...applying, stages: [{ members: ['ada'] }] });
    await record(rota, 'ada', '2026-11-25T00:00:00Z', '2026-11-26T00:00:00Z');
    const said: string[] = [];
    const log = createLog('info', { write: (line: string) => said.push(line) } as never);
    for (let round = 0; round < 3; round++) await repairPlans(rota.db, rota.clock, log);
    assert.deepEqual(await everyone(rota, id), ['ada', null, 'ada', 'ada', 'ada']);
    assert.equal(said.length, 1);
    assert.match(said.join(), new RegExp(`"scheduleId":"${id}","plannedUntil":.*"changed":1.*was repaired`));
  });

  it('repairs each schedule once, on however many nodes it runs', async (t) => {
    const rota = await startRota(t, NOW);
    const ids: string[] = [];
    for (let index = 0; index < 60; index++)
      ids.push((await rota.save({ ...applying, name: `Schedule ${index}` })).id);
    await record(rota, 'alan', '2026-11-24T00:00:00Z', '2026-11-25T00:00:00Z');
    assert.equal(await repair(rota), true, 'sixty are more than one round');
    await Promise.all([repair(rota), repair(rota), repair(rota)]);
    for (const id of ids) assert.equal((await rota.shifts(id))[1]?.who, 'grace');
  });
});
