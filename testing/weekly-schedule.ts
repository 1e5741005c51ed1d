import { saveSchedule } from '../src/planning/actions.ts';
import { planSchedule } from '../src/planning/plan-schedule.ts';
import { withSolvedPlans } from '../src/planning/solved-plans.ts';
import { createSolver } from '../src/planning/threads/solver.ts';
import type { Story } from './story.ts';

export type WeeklySpec = {
  name?: string;
  cover?: 'propose' | 'apply';
  /** People of each stage from stage 1 on, in the order of the rotation. */
  stages: string[][];
  backstop?: string;
  restHours?: number;
};

/** Creates a planned rotation of the team `sre` with weekly hand-offs on Mondays at 09:00 UTC and returns its id. */
export async function weeklySchedule(t: Story, spec: WeeklySpec): Promise<string> {
  const { users, teams, id: organizationId } = t.acme;
  const id = (person: string) => users[person] ?? '';
  return withSolvedPlans({ db: t.db, clock: t.clock, solver: createSolver() }, async (tx, at, plans) => {
    const saved = await saveSchedule(tx, at, organizationId, null, {
      name: spec.name ?? 'SRE',
      teamId: teams.sre ?? '',
      description: null,
      enabled: true,
      timeZone: 'UTC',
      backstopUserId: spec.backstop === undefined ? null : id(spec.backstop),
      strategy: 'rotation',
      planAheadWeeks: 6,
      restHours: spec.restHours ?? 0,
      cover: spec.cover ?? 'propose',
      pattern: { every: 'week', handoff: 'Monday 09:00' },
      stages: spec.stages.map((members, index) => ({
        stage: index + 1,
        escalateAfterSeconds: 300,
        seats: 1,
        memberIds: members.map(id),
      })),
      overrides: null,
    });
    await planSchedule(tx, at, saved.id, plans);
    return saved.id;
  });
}
