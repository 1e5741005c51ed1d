import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../db/database.ts';
import { keepIf } from '../db/savepoint.ts';
import { activePeople } from '../people/store.ts';
import { doubled, type Roster } from '../schedules/roster.ts';
import { applyOverrides } from './apply-overrides.ts';
import type { CoverEvent } from './events.ts';
import { type Comparison, compareCovers, type KnownCover, type NeededCover } from './needed.ts';
import { notifyOfCovers } from './notify.ts';
import { movesFrom, type Proposals, proposals } from './propose.ts';
import { NOTHING_SOLVED, type Repairs } from './repairs/solved-repairs.ts';
import { type CoveredSchedule, lockSchedules, readRoster, withPerson } from './roster-store.ts';
import {
  type CoverEdit,
  checkAgain,
  draftCover,
  editCover,
  insertCover,
  liveCovers,
  type NewCover,
  removeCoverOverrides,
  type StoredCover,
  saveDraft,
  writeMove,
} from './store.ts';

/** Applying a proposal may require another cover. This is the most rounds that one run makes. */
const MOST_ROUNDS = 4;

/**
 * Brings the covers of a schedule in line with its shifts and absences: opens missing covers, withdraws unnecessary
 * ones, proposes people, applies proposals if the schedule does so, and notifies everybody concerned. Idempotent.
 * Repairs that need the solver are left to the duty that settles covers. Locks the schedule's row.
 */
export async function settleCovers(tx: Tx, at: Temporal.Instant, scheduleId: string): Promise<void> {
  const { isLeft } = await settleWith(tx, at, scheduleId, NOTHING_SOLVED);
  if (isLeft) await checkAgain(tx, scheduleId);
}

/** `isLeft`: some covers are unchanged, or not opened yet, because a repair has to be solved first. */
export type Settled = { events: CoverEvent[]; isLeft: boolean };

/** Like `settleCovers`, with repairs that were solved before. */
export async function settleWith(
  tx: Tx,
  at: Temporal.Instant,
  scheduleId: string,
  repairs: Repairs,
): Promise<Settled> {
  const [schedule] = await lockSchedules(tx, [scheduleId]);
  if (!schedule) return { events: [], isLeft: false };
  const settling: Settling = { tx, at, schedule, repairs, events: [], isLeft: false };
  for (let round = 0; round < MOST_ROUNDS; round++) if (!(await settleRound(settling))) break;
  const { events, isLeft } = settling;
  await notifyOfCovers(tx, at, schedule, events);
  return { events, isLeft };
}

type Settling = Settled & {
  tx: Tx;
  at: Temporal.Instant;
  schedule: CoveredSchedule;
  repairs: Repairs;
};

/** Returns whether shifts changed hands, so that another round is needed. */
async function settleRound(settling: Settling): Promise<boolean> {
  const { tx, at, schedule } = settling;
  const covers = await liveCovers(tx, schedule.id, at);
  const roster = await withCovered(settling, await readRoster(tx, schedule, at), covers);
  const known = new Map(covers.map((cover) => [cover.id, cover]));
  const comparison = compareCovers({
    stints: schedule.enabled ? roster.stints : [],
    absences: roster.absences,
    covers: covers.map(knownOf),
    at: at.epochMilliseconds,
  });
  if (await close(settling, roster, comparison, known)) return true;
  const waiting = await withoutGone(
    settling,
    covers.filter((cover) => known.has(cover.id) && isWaiting(cover)),
  );
  for (const part of await openParts(settling, comparison, known)) waiting.push(part);
  const drafts = comparison.fresh.map((need) => draftCover(at, neededCover(schedule, need)));
  const all = [...waiting, ...drafts];
  const proposed = proposals(roster, all, at.epochMilliseconds, settling.repairs);
  settling.isLeft = proposed === null;
  if (!proposed) return false;
  for (const draft of drafts) await saveDraft(tx, draft);
  return proposeAll(settling, all, proposed);
}

/**
 * Adds the absences of everybody whose shift has a cover, including people who are not members and had it through an
 * override. Without their absences, the covers would seem unnecessary and would be withdrawn.
 */
async function withCovered(
  { tx, at, schedule }: Settling,
  roster: Roster,
  covers: readonly StoredCover[],
): Promise<Roster> {
  let whole = roster;
  for (const userId of new Set(covers.map((cover) => cover.userId)))
    whole = await withPerson(tx, whole, schedule, userId, at);
  return whole;
}

function knownOf(cover: StoredCover): KnownCover {
  const { id, stage, seat, from, to, userId, cause, state } = cover;
  return {
    id,
    stage,
    seat,
    from,
    to,
    userId,
    cause,
    state,
    byItself: cause === 'absence' && cover.decidedBy === null,
  };
}

function isWaiting({ state }: StoredCover): boolean {
  return state === 'open' || state === 'proposed';
}

/** Drops proposals to people who were disabled, also those that people made. */
async function withoutGone({ tx, schedule }: Settling, covers: StoredCover[]): Promise<StoredCover[]> {
  const gains = covers.flatMap(({ proposal }) => proposal?.moves.map((move) => move.gains) ?? []);
  if (gains.length === 0) return covers;
  const active = await activePeople(tx, schedule.organizationId, [...new Set(gains)]);
  return covers.map((cover) =>
    cover.proposal?.moves.every((move) => active.has(move.gains)) ? cover : { ...cover, proposal: null },
  );
}

/**
 * Ends covers that are no longer needed and removes them from `known`; true if shifts returned to their planned people.
 */
async function close(
  settling: Settling,
  roster: Roster,
  { expired, stale, unjustified, parts }: Comparison,
  known: Map<string, StoredCover>,
): Promise<boolean> {
  for (const { id } of expired) await end(settling, known, id, 'expired');
  for (const { id } of stale) await end(settling, known, id, 'withdrawn');
  for (const { cover } of parts) await end(settling, known, cover.id, 'withdrawn', true);
  let moved = false;
  for (const { id } of unjustified) {
    const before = known.get(id);
    if (!before || !(await takeBack(settling, roster, before))) continue;
    await end(settling, known, id, 'withdrawn');
    moved = true;
  }
  return moved;
}

/** Returns shifts to their planned people, unless that would put one of them on call twice at a time. */
async function takeBack(
  { tx, at, schedule }: Settling,
  roster: Roster,
  cover: StoredCover,
): Promise<boolean> {
  return keepIf(tx, async (inside) => {
    await removeCoverOverrides(inside, at, cover.id);
    await applyOverrides(inside, at, schedule);
    const { stints } = await readRoster(inside, schedule, at);
    return (cover.proposal?.moves ?? []).every(
      (move) => doubled(stints, move) === null || doubled(roster.stints, move) !== null,
    );
  });
}

async function end(
  { tx, at, events }: Settling,
  known: Map<string, StoredCover>,
  id: string,
  state: 'expired' | 'withdrawn',
  silent = false,
): Promise<void> {
  const before = known.get(id);
  if (!before) return;
  const cover = await editCover(tx, at, before, { state });
  if (!silent) events.push({ kind: state, cover, before, by: null });
  known.delete(id);
}

/** Opens a cover for each remaining part of a requested cover. */
async function openParts(
  { tx, at }: Settling,
  { parts }: Comparison,
  known: ReadonlyMap<string, StoredCover>,
): Promise<StoredCover[]> {
  const opened: StoredCover[] = [];
  for (const { cover, spans } of parts) {
    const whole = known.get(cover.id);
    if (whole) for (const span of spans) opened.push(await insertCover(tx, at, { ...whole, ...span }));
  }
  return opened;
}

function neededCover(
  { id: scheduleId, organizationId }: CoveredSchedule,
  { absenceId, ...place }: NeededCover,
): NewCover {
  const common = { organizationId, scheduleId, offeredBy: null, note: '', declinedBy: [] };
  return { ...common, ...place, cause: 'absence', availabilityId: absenceId };
}

/** Proposes people for each cover, and applies the proposals if the schedule does so; true if shifts changed hands. */
async function proposeAll(
  settling: Settling,
  waiting: readonly StoredCover[],
  proposed: Proposals,
): Promise<boolean> {
  const { tx, at, schedule, events } = settling;
  const written = new Set<string>();
  for (const before of waiting) {
    const proposal = proposed.get(before.id) ?? null;
    const isNew = before.createdAt === at;
    const applies = schedule.cover === 'apply' && before.cause === 'absence' && proposal?.proposedBy === null;
    const state = applies ? 'applied' : proposal ? 'proposed' : 'open';
    if (!isNew && state === before.state && isDeepStrictEqual(proposal, before.proposal)) continue;
    const gains = new Set(proposal?.moves.map((move) => move.gains));
    const edit: CoverEdit = { state, proposal };
    if (applies) Object.assign(edit, { decidedAt: at, takenBy: gains.size === 1 ? [...gains][0] : null });
    const cover = await editCover(tx, at, before, edit);
    events.push({ kind: applies ? 'applied' : isNew ? 'opened' : 'proposed', cover, before, by: null });
    if (!applies || !proposal) continue;
    for (const move of movesFrom(proposal.moves, at.epochMilliseconds)) {
      const key = JSON.stringify(move);
      // Several covers may need the same move.
      if (!written.has(key))
        await writeMove(tx, at, placeOf(schedule), move, { origin: 'cover', coverId: cover.id, by: null });
      written.add(key);
    }
  }
  if (written.size > 0) await applyOverrides(tx, at, schedule);
  return written.size > 0;
}

function placeOf({ id, organizationId }: CoveredSchedule): {
  organizationId: string;
  scheduleId: string;
} {
  return { organizationId, scheduleId: id };
}
