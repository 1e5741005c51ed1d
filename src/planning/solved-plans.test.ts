import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { type Rota, type ScheduleStory, startRota } from '../../testing/schedules/story.ts';
import { createLog } from '../kit/log.ts';
import { USUAL_RULES } from '../schedules/rules.ts';
import { planSchedule } from './actions.ts';
import { extendPlans } from './extend.ts';
import { withSolvedPlans } from './solved-plans.ts';
import { findPlanInForce } from './store.ts';
import type { Solver } from './threads/solver.ts';

const silent = createLog('silent');
const NOW = '2026-11-18T12:00:00Z';
const fairly: ScheduleStory = {
  strategy: 'fair',
  stages: [{ members: ['ada', 'alan', 'grace'] }, { members: ['ada', 'alan', 'grace'] }],
};

const who = async (rota: Rota, id: string) =>
  (await rota.shifts(id)).map(({ stage, who: name }) => `${stage} ${name}`);

async function otherTransactions({ db }: Rota): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend' and xact_start is not null`.execute(db);
  return rows[0]?.n ?? -1;
}

describe('a fair schedule', () => {
  it('is planned by the solver, with a proof; planning again changes nothing', async (t) => {
    const rota = await startRota(t, NOW);
    const { id, plan } = await rota.save(fairly);
    assert.equal(plan.figures?.origin, 'optimal');
    assert.equal(plan.figures?.gap, 0);
    const before = await rota.shifts(id);
    const { added, changed, removed } = await rota.plan(id);
    assert.deepEqual({ added, changed, removed }, { added: 0, changed: 0, removed: 0 });
    assert.deepEqual(await rota.shifts(id), before);
  });

  it('does not depend on the order or the names of people and stages', async (t) => {
    const handles = ['ada', 'alan', 'barbara', 'grace'];
    const plans = new Set<string>();
    for (const order of [handles, handles.toReversed(), ['grace', 'ada', 'barbara', 'alan']]) {
      const rota = await startRota(t, NOW, order);
      await rota.away('barbara', '2026-12-01T08:00:00Z', '2026-12-03T08:00:00Z');
      const { id } = await rota.save({ ...fairly, stages: [{ members: order }, { members: order }] });
      plans.add((await who(rota, id)).join(', '));
    }
    assert.equal(plans.size, 1, [...plans].join('\n'));
  });

  it('has a proof for the current rules, even if no shift moves', async (t) => {
    const rota = await startRota(t, NOW);
    const { id, plan } = await rota.save(fairly);
    await rota.away('grace', '2026-11-30T08:00:00Z', '2026-12-07T08:00:00Z', 'soft_unavailable');
    const planning = { ...USUAL_RULES, weights: { night: 1, weekend: 5, holiday: 1 } };
    const { plan: later } = await rota.save({ ...fairly, planning });
    assert.deepEqual([later.changed, later.figures?.gap], [0, 0]);
    assert.notEqual(later.figures?.objective, plan.figures?.objective);
    const stored = await findPlanInForce(rota.db, id);
    assert.deepEqual(stored?.figures, later.figures);
  });

  it('is planned without an open transaction waiting for the solver', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save({ ...fairly, stages: [{ members: ['ada', 'alan', 'grace'] }] });
    const before = await rota.shifts(id);
    await rota.clock.travelTo(rota.db, Temporal.Instant.from('2026-12-02T12:00:00Z'));
    let open = -1;
    const watching: Solver = {
      ...rota.solver,
      async bestPlan(input) {
        open = await otherTransactions(rota);
        return rota.solver.bestPlan(input);
      },
    };
    assert.equal(await extendPlans({ ...rota, solver: watching }, silent), 1);
    assert.equal(open, 0);
    const after = await rota.shifts(id);
    assert.ok(after.length > before.length);
    assert.deepEqual(after.slice(0, before.length), before);
  });

  it('is solved again when its input changes meanwhile', async (t) => {
    const rota = await startRota(t, NOW);
    const { id } = await rota.save({ ...fairly, planAheadWeeks: 1 });
    let solved = 0;
    const slow: Solver = {
      ...rota.solver,
      async bestPlan(input) {
        if (++solved === 1) await rota.away('ada', '2026-11-23T08:00:00Z', '2027-11-23T08:00:00Z');
        return rota.solver.bestPlan(input);
      },
    };
    await rota.clock.travelTo(rota.db, Temporal.Instant.from('2026-12-02T12:00:00Z'));
    await withSolvedPlans({ ...rota, solver: slow }, (tx, at, plans) => planSchedule(tx, at, id, plans));
    assert.equal(solved, 2);
    const later = (await rota.shifts(id)).filter(({ from }) => from > '2026-12-03');
    assert.ok(
      later.length > 0 && later.every(({ who: name }) => name !== 'ada'),
      (await who(rota, id)).join(),
    );
  });

  it('gets the greedy plan when its input keeps changing', async (t) => {
    const rota = await startRota(t, NOW);
    let day = 1;
    const never: Solver = {
      ...rota.solver,
      async bestPlan(input) {
        await rota.away('ada', `2026-12-0${day}T08:00:00Z`, `2026-12-0${++day}T08:00:00Z`);
        return rota.solver.bestPlan(input);
      },
    };
    const { id } = await rota.save({ ...fairly, strategy: 'rotation' });
    await rota.db.updateTable('schedules').set({ strategy: 'fair' }).where('id', '=', id).execute();
    const summary = await withSolvedPlans({ ...rota, solver: never }, (tx, at, plans) =>
      planSchedule(tx, at, id, plans),
    );
    assert.equal(summary.figures, null);
  });
});

describe('a fair schedule with a week that nobody can take as a whole', () => {
  it('shares the week, and keeps it when it is planned again, even during that week', async (t) => {
    const rota = await startRota(t, NOW, ['ada', 'alan']);
    await rota.away('ada', '2026-11-24T00:00:00Z', '2026-11-26T00:00:00Z');
    await rota.away('alan', '2026-11-27T00:00:00Z', '2026-12-15T00:00:00Z');
    const { id } = await rota.save({ strategy: 'fair', stages: [{ members: ['ada', 'alan'] }] });
    const week = async () =>
      (await rota.shifts(id))
        .filter(({ from }) => from >= '2026-11-23' && from < '2026-11-30T08')
        .map(({ who: name, from }) => `${from.slice(5, 13)} ${name}`);
    const shared = await week();
    assert.equal(shared.length, 2, shared.join());
    assert.ok(shared.every((piece) => !piece.endsWith('null')));
    const all = await rota.shifts(id);
    await rota.plan(id);
    assert.deepEqual(await rota.shifts(id), all);
    for (const now of ['2026-11-23T10:00:00Z', '2026-11-26T12:00:00Z', '2026-11-28T12:00:00Z']) {
      await rota.clock.travelTo(rota.db, Temporal.Instant.from(now));
      await rota.plan(id);
      assert.deepEqual(await week(), shared, now);
    }
  });
});
