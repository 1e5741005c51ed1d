import { applyFile } from '../src/cli/apply/apply.ts';
import { planSchedules } from '../src/cli/apply/plan.ts';
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
  tell: (sentence: string) => void;
};

/** Any number: the example is always the same, but for the day that it is made on. */
const SEED = 20_261_120;
/** Weeks ago at which the schedules were planned again. */
const PLANNED_WEEKS_AGO = [26, 8] as const;
/** The start is waited for: a plan that is nearly the best will do. */
const MOST_SECONDS = 1;

/**
 * Makes the example in an empty database. People, schedules and absences come the way an operator's file does, a year
 * ago; the schedules were planned again and again since then. Pages, moments and calls are written as they would stand
 * there now.
 */
export async function fill({ db, clock, sealing, tell }: Filling): Promise<void> {
  const now = await clock.now(db);
  const random = createRandom(SEED);
  const weeksAgo = (weeks: number) => now.subtract({ hours: weeks * 7 * 24 });
  const planning = { db, clock, sealing, solver: createSolver({ mostSeconds: MOST_SECONDS }), tell };
  const options = { dryRun: false, prune: false };

  await clock.travelTo(db, weeksAgo(WEEKS_BACK));
  const { organization } = await applyFile(planning, exampleFile(now, random), options);
  await markBegun(db, now, organization.id);
  for (const weeks of PLANNED_WEEKS_AGO) {
    await clock.travelTo(db, weeksAgo(weeks));
    await withSolvedPlans(planning, (tx, at, plans) => planSchedules(tx, at, organization.id, plans, tell));
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

/** Somebody turns out to be away during a shift of theirs in the coming weeks, in each of these schedules. */
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
        // Whoever looks at the example could cover it; those who lead incidents would be missed there as well.
        !isTaken(shift) &&
        !['sofia', 'ines'].includes(shift.handle),
    );
    return hit ? [{ handle: hit.handle, name, from: hit.from.add({ hours: 24 }), to: hit.to }] : [];
  });
}

function isLess(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}
