import type { Database } from '../../db/database.ts';
import type { Log } from '../../kit/log.ts';
import { lockForPlanning } from '../../schedules/plan-store.ts';
import { plannedByStage } from '../../schedules/planned-shifts.ts';
import type { PlannedShift } from '../../schedules/planner.ts';
import { readPlanning } from '../situation.ts';
import { figuresOf, type PlanningServices } from '../solved-plans.ts';
import type { Progress } from '../solver/planning.ts';
import {
  claimDraft,
  discardSolvingDraft,
  failDraft,
  renewDraft,
  type SolvedDraft,
  type StoredPlan,
  saveSolvedDraft,
} from '../store.ts';
import { draftInput, inputHash } from './input.ts';
import { failureText } from './present.ts';
import { handedOver } from './preview.ts';

/** A node that does not renew its lease for this long counts as dead. */
const LEASE = { seconds: 30 };
const RENEW_MS = 1_000;

/**
 * Solves one waiting draft, if there is one. `changed` is called with the organization of the draft.
 * @returns whether more drafts may be waiting
 */
export async function solveDrafts(
  services: PlanningServices,
  log: Log,
  changed: (organizationId: string) => void,
): Promise<boolean> {
  const { db, clock } = services;
  const draft = await db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    return claimDraft(tx, at, at.add(LEASE));
  });
  if (!draft) return false;
  const renewal = renewing(services, draft);
  try {
    const { before, ...solved } = await solve(services, draft, renewal.progress);
    const at = await clock.now(db);
    // A draft made by the service is kept only if it changes something.
    if (draft.createdBy === null && handedOver(before, solved.shifts).length === 0)
      await discardSolvingDraft(db, at, draft.id);
    else await saveSolvedDraft(db, at, draft.id, solved);
    log.info({ plan: draft.id, ...solved.figures }, 'a draft was solved');
  } catch (error) {
    log.error({ err: error, plan: draft.id }, 'a draft could not be solved');
    await failDraft(db, await clock.now(db), draft.id, failureText());
  } finally {
    await renewal.stop();
    changed(draft.organizationId);
  }
  return true;
}

/** Renews the lease and saves the progress at intervals. */
function renewing({ db, clock }: PlanningServices, { id }: StoredPlan) {
  let latest: Progress | null = null;
  let writing: Promise<unknown> = Promise.resolve();
  const renew = async () => {
    const now = await clock.now(db);
    await renewDraft(db, id, now.add(LEASE), latest);
  };
  const timer = setInterval(() => {
    // A failed write is not retried: the next one contains newer progress.
    writing = writing.then(renew).catch(() => undefined);
  }, RENEW_MS);
  return {
    progress: (soFar: Progress) => {
      latest = soFar;
    },
    stop() {
      clearInterval(timer);
      return writing;
    },
  };
}

async function solve(
  { db, solver }: PlanningServices,
  draft: StoredPlan,
  progress: (soFar: Progress) => void,
): Promise<SolvedDraft & { before: PlannedShift[] }> {
  const { planning, input } = await inputOf(db, draft);
  const { situation } = planning;
  const solved = situation.strategy === 'fair' ? await solver.bestPlan(input, progress) : null;
  const shifts = solved?.shifts ?? (await solver.inTurns(situation.strategy, input));
  const from = draft.startsAt.epochMilliseconds;
  return {
    inputHash: inputHash(planning.input, situation.overrides),
    endsAt: planning.until,
    figures: solved && figuresOf(solved),
    shifts: shifts.filter((shift) => shift.from >= from),
    before: plannedByStage(situation.rows).filter((shift) => shift.from >= from),
  };
}

function inputOf(db: Database, { scheduleId, asOf, startsAt, freedom }: StoredPlan) {
  return db.transaction().execute(async (tx) => {
    const schedule = await lockForPlanning(tx, scheduleId);
    if (!schedule) throw new Error(`schedule ${scheduleId} does not exist, so it can have no draft`);
    const planning = await readPlanning(tx, asOf, schedule, 'apply');
    const { overrides } = planning.situation;
    const { strategy } = schedule;
    const from = startsAt.epochMilliseconds;
    return { planning, input: draftInput(planning.input, from, overrides, { strategy, freedom }) };
  });
}
