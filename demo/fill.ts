import { applyFile } from '../src/apply/apply.ts';
import { planSchedules } from '../src/apply/plan.ts';
import type { MovableClock } from '../src/db/clock.ts';
import type { Database } from '../src/db/database.ts';
import type { Sealing } from '../src/kit/sealing.ts';
import { withSolvedPlans } from '../src/planning/solved-plans.ts';
import { createSolver } from '../src/planning/threads/solver.ts';
import { exampleFile, type LateAbsence, lateAbsencesFile, WEEKS_BACK } from './example-file.ts';
import {
  dropMessages,
  type ExampleShift,
  listShifts,
  markBegun,
  markMade,
  setSleep,
} from './example-store.ts';
import { fillDays, fillProblems } from './fill-days.ts';
import { fillMoments } from './fill-moments.ts';
import { fillPages } from './fill-pages.ts';
import { OWNER } from './people.ts';
import { createRandom } from './random.ts';
import { readScene } from './scene.ts';

export type Filling = {
  db: Database;
  clock: MovableClock;
  sealing: Sealing;
  report: (sentence: string) => void;
};

/** An arbitrary seed: the example depends only on the day on which it is made. */
const SEED = 20_261_120;
/** Weeks since the schedules were planned again. */
const PLANNED_WEEKS_AGO = [26, 8] as const;
/** Startup waits for planning, so a nearly optimal plan is enough. */
const MOST_SECONDS = 1;

/**
 * Creates the example in an empty database. People, schedules and absences are applied from an operator's file a year
 * ago, and the schedules are planned again several times since then. Pages, moments and calls are inserted in their
 * present state.
 */
export async function fill({ db, clock, sealing, report }: Filling): Promise<void> {
  const now = await clock.now(db);
  const random = createRandom(SEED);
  const weeksAgo = (weeks: number) => now.subtract({ hours: weeks * 7 * 24 });
  const planning = {
    by: 'operator' as const,
    db,
    clock,
    sealing,
    solver: createSolver({ mostSeconds: MOST_SECONDS }),
    report,
  };
  const options = { dryRun: false, prune: false };

  await clock.travelTo(db, weeksAgo(WEEKS_BACK));
  const { organization } = await applyFile(planning, exampleFile(now, random), options);
  await markBegun(db, now, organization.id);
  for (const weeks of PLANNED_WEEKS_AGO) {
    await clock.travelTo(db, weeksAgo(weeks));
    await withSolvedPlans(planning, (tx, at, plans) => planSchedules(tx, at, organization.id, plans, report));
  }
  await clock.travelTo(db, now);
  const absences = lateAbsences(await listShifts(db, organization.id), now);
  await applyFile(planning, lateAbsencesFile(absences), options);
  const scene = await readScene(db, organization.id, now);
  await db.transaction().execute(async (tx) => {
    await setSleep(tx, organization.id);
    const pages = await fillPages(tx, clock, scene, random);
    const webhooks = await fillMoments(tx, sealing, scene, pages, random);
    await fillDays(tx, clock, sealing, scene);
    await fillProblems(tx, clock, scene, webhooks.depots.id);
    await dropMessages(tx, organization.id, weeksAgo(1));
    await markMade(tx, now, organization.id);
  });
}

const REASONS: readonly (readonly [schedule: string, name: string])[] = [
  ['Platform', 'Surgery, came sooner than thought'],
  ['Payments', 'Moving house'],
];

/** Late absences: in each of these schedules, a person is away during one of their coming shifts. */
function lateAbsences(shifts: readonly ExampleShift[], now: Temporal.Instant): LateAbsence[] {
  const isTaken = (shift: ExampleShift) =>
    shifts.some(
      (other) => other.handle === OWNER && isLess(other.from, shift.to) && isLess(shift.from, other.to),
    );
  return REASONS.flatMap(([schedule, name], index) => {
    const since = now.add({ hours: 24 * (4 + 3 * index) });
    const hit = shifts.find(
      (shift) =>
        shift.schedule === schedule &&
        shift.stage === 1 &&
        isLess(since, shift.from) &&
        // The owner must be able to cover it. Incident leads are left out, because they would be missing in another
        // schedule as well.
        !isTaken(shift) &&
        !['sofia', 'ines'].includes(shift.handle),
    );
    return hit ? [{ handle: hit.handle, name, from: hit.from.add({ hours: 24 }), to: hit.to }] : [];
  });
}

function isLess(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}
