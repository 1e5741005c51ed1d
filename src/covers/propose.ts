import { clip, intersects } from '../kit/interval.ts';
import { ineligibilities, isHard, mayBeProposed } from '../schedules/eligibility.ts';
import { after, holds, isSeat, type Move, type Roster, type Seated } from '../schedules/roster.ts';
import { inTurn, reserved } from './in-turn.ts';
import { isHopeless, isOneChange, type Repair, type Vacancy } from './repair.ts';
import type { Repairs } from './repairs/solved-repairs.ts';
import type { StoredCover, StoredMove, StoredProposal } from './store.ts';

/** By cover: the proposal, or null if there is none. */
export type Proposals = Map<string, StoredProposal | null>;

/**
 * A proposal for each open cover. Existing proposals stay while they are still possible. No person is
 * proposed for two covers that overlap.
 * @returns null if a repair has to be solved first
 */
export function proposals(
  roster: Roster,
  covers: readonly StoredCover[],
  at: number,
  repairs: Repairs,
): Proposals | null {
  const held = holding(roster, covers, at);
  const found = repaired(roster, covers, held, at, repairs);
  if (!found || found.uncovered === 0) return found?.proposals ?? null;
  // Replace the service's own proposals if that covers more time; keep proposals by people.
  const byPeople = new Map([...held].filter(([, { proposedBy }]) => proposedBy !== null));
  if (byPeople.size === held.size) return found.proposals;
  const renewed = repaired(roster, covers, byPeople, at, repairs);
  if (!renewed) return null;
  return renewed.uncovered < found.uncovered ? renewed.proposals : found.proposals;
}

/** Existing proposals that are still possible; those made by people take precedence. */
function holding(roster: Roster, covers: readonly StoredCover[], at: number): Map<string, StoredProposal> {
  const held = new Map<string, StoredProposal>();
  let next = roster;
  const byPerson = (cover: StoredCover) => Number(cover.proposal?.proposedBy != null);
  for (const cover of covers.toSorted((a, b) => byPerson(b) - byPerson(a))) {
    if (!cover.proposal || !stillHolds(next, cover, at)) continue;
    held.set(cover.id, cover.proposal);
    next = reserved(next, cover.proposal.moves);
  }
  return held;
}

/** `uncovered`: the time without a proposal, in milliseconds. */
type Repaired = { proposals: Proposals; uncovered: number };

function repaired(
  roster: Roster,
  covers: readonly StoredCover[],
  held: ReadonlyMap<string, StoredProposal>,
  at: number,
  repairs: Repairs,
): Repaired | null {
  const kept = [...held.values()].flatMap(({ moves }) => moves);
  const keptCovers = covers.filter(({ id }) => held.has(id));
  const next = reserved(pinned(roster, [...kept, ...keptCovers]), kept);
  const open = covers.filter(({ id }) => !held.has(id));
  const vacancies = open.map((cover) => vacancyOf(cover, at));
  const found = smallest(next, vacancies, at, repairs);
  if (!found) return null;
  const fresh = open.map(({ id }, index): [string, StoredProposal | null] => {
    const repair = found[index] ?? null;
    const moves = repair?.moves.map((move) => named(roster, move)) ?? [];
    return [id, repair && { ...repair, moves, proposedBy: null }];
  });
  const all: Proposals = new Map([...held, ...fresh]);
  const uncovered = covers.map((cover) => uncoveredOf(vacancyOf(cover, at), all.get(cover.id)?.moves ?? []));
  return { proposals: all, uncovered: uncovered.reduce((sum, left) => sum + left, 0) };
}

/** A repair for each vacancy: one change each if possible, otherwise all are solved together. */
function smallest(
  roster: Roster,
  vacancies: readonly Vacancy[],
  at: number,
  repairs: Repairs,
): (Repair | null)[] | null {
  const hopeful = vacancies.filter((vacancy) => !isHopeless(roster, vacancy));
  const quick = inTurn(roster, hopeful, at);
  const isLeast = quick.every((repair) => repair && (isOneChange(repair) || (repair.proven && !hopeful[1])));
  if (isLeast) return byVacancy(vacancies, hopeful, quick);
  const known = quick.flatMap((repair) => repair?.moves ?? []);
  const answer = repairs.repairFor({ roster, vacancies: hopeful, at, known });
  if (answer === 'unsolved') return null;
  const unproven = quick.map((repair) => repair && { ...repair, proven: false });
  return byVacancy(vacancies, hopeful, answer?.repairs ?? unproven);
}

function byVacancy(
  vacancies: readonly Vacancy[],
  hopeful: readonly Vacancy[],
  found: readonly (Repair | null)[],
): (Repair | null)[] {
  return vacancies.map((vacancy) => found[hopeful.indexOf(vacancy)] ?? null);
}

function uncoveredOf({ stage, seat, from, to }: Vacancy, moves: readonly Move[]): number {
  const place = { stage, seat, from: 0, to: 0 };
  const covered = moves.flatMap((move) => (isSeat(move, place) ? (clip(move, { from, to }) ?? []) : []));
  return to - from - covered.reduce((sum, part) => sum + part.to - part.from, 0);
}

/** Marks shifts for which a proposal is pending, so that no other repair moves them. */
function pinned(roster: Roster, places: readonly Seated[]): Roster {
  if (places.length === 0) return roster;
  const stints = roster.stints.map((stint) =>
    places.some((place) => isSeat(place, stint) && intersects(place, stint))
      ? { ...stint, stands: true }
      : stint,
  );
  return { ...roster, stints };
}

function vacancyOf(cover: StoredCover, at: number) {
  const { stage, seat, from, to, userId, declinedBy } = cover;
  return { stage, seat, from: Math.max(from, at), to, userId, not: declinedBy };
}

/** Whether a proposal is still possible. A person whom a colleague chose may have less rest than the rules require. */
export function stillHolds(roster: Roster, { proposal, declinedBy }: StoredCover, at: number): boolean {
  if (!proposal || proposal.moves.some(({ gains }) => declinedBy.includes(gains))) return false;
  const coming = movesFrom(proposal.moves, at);
  const result = after(roster, coming);
  return (
    coming.length > 0 &&
    coming.every((move) => {
      if (move.loses !== null && !holds(roster.stints, move.loses, move)) return false;
      if (proposal.proposedBy === null) return mayBeProposed(result, move.gains, move);
      return !ineligibilities(result, move.gains, move).some(isHard);
    })
  );
}

/** The current and future parts of moves. */
export function movesFrom(moves: readonly StoredMove[], at: number): StoredMove[] {
  return moves.flatMap((move) => clip(move, { from: at, to: Number.POSITIVE_INFINITY }) ?? []);
}

function named(roster: Roster, move: Repair['moves'][number]): StoredMove {
  const holder = roster.stints.find((stint) => isSeat(stint, move) && clip(stint, move) !== null);
  return { ...move, loses: holder?.userId ?? null };
}
