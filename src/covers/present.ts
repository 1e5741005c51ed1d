import type { Handle } from '../db/database.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { t } from '../language/contract.ts';
import type { Person, Role } from '../people/contract.ts';
import { mayManageSchedules } from '../people/schedule-policy.ts';
import { peopleById } from '../people/store.ts';
import { isHard } from '../schedules/eligibility.ts';
import type { Roster } from '../schedules/roster.ts';
import type { Cover, Proposal } from './api-contract.ts';
import { asSentence, ineligibilityTexts } from './ineligibility-text.ts';
import { coverSentence, movesOf } from './proposal-words.ts';
import { loadAround } from './repair.ts';
import { readRoster, withPerson } from './roster-store.ts';
import {
  type AbsenceHead,
  absenceHeads,
  instant,
  type ScheduleHead,
  type StoredCover,
  type StoredProposal,
  scheduleHeads,
} from './store.ts';

export type CoverViewer = { organizationId: string; userId: string; role: Role };

type Facts = {
  at: number;
  viewer: CoverViewer;
  schedule: ScheduleHead;
  manages: boolean;
  people: ReadonlyMap<string, Person>;
  absences: ReadonlyMap<string, AbsenceHead>;
  roster: Roster;
};

/** Covers as the viewer sees them, with what the viewer may do. */
export async function presentCovers(
  db: Handle,
  at: Temporal.Instant,
  viewer: CoverViewer,
  covers: readonly StoredCover[],
): Promise<Cover[]> {
  const schedules = await scheduleHeads(
    db,
    viewer,
    covers.map(({ scheduleId }) => scheduleId),
  );
  const people = await peopleById(db, viewer.organizationId, [viewer.userId, ...covers.flatMap(peopleIn)]);
  const absences = await absenceHeads(
    db,
    viewer.userId,
    covers.flatMap(({ availabilityId }) => availabilityId ?? []),
  );
  const rosters = new Map<string, Roster>();
  for (const schedule of schedules.values()) {
    const of = { ...schedule, organizationId: viewer.organizationId };
    const roster = await readRoster(db, of, at);
    rosters.set(schedule.id, await withPerson(db, roster, of, viewer.userId, at));
  }
  return covers.flatMap((cover) => {
    const schedule = schedules.get(cover.scheduleId);
    const roster = rosters.get(cover.scheduleId);
    if (!schedule || !roster) return [];
    const relation = { member: schedule.manager, manager: schedule.manager };
    const manages = mayManageSchedules(viewer.role, relation);
    return [
      present(cover, { at: at.epochMilliseconds, viewer, schedule, manages, people, absences, roster }),
    ];
  });
}

function peopleIn({ userId, offeredBy, declinedBy, takenBy, decidedBy, proposal }: StoredCover): string[] {
  const moves = proposal?.moves.flatMap(({ gains, loses }) => [gains, loses]) ?? [];
  const ids = [userId, offeredBy, takenBy, decidedBy, proposal?.proposedBy ?? null, ...declinedBy, ...moves];
  return ids.filter((id) => id !== null);
}

function present(cover: StoredCover, facts: Facts): Cover {
  const { schedule, absences } = facts;
  const { id, name, timeZone, team } = schedule;
  const absence = absences.get(cover.availabilityId ?? '');
  return {
    id: cover.id,
    state: cover.state,
    schedule: { id, name, time_zone: timeZone },
    team,
    stage: cover.stage,
    seat: cover.seat,
    starts_at: wire(cover.from),
    ends_at: wire(cover.to),
    person: personOf(cover.userId, facts),
    cause: cover.cause,
    absence: absence
      ? {
          id: absence.id,
          name: absence.name,
          starts_at: instantText(absence.startsAt),
          ends_at: instantText(absence.endsAt),
        }
      : null,
    asked_by: personOrNull(cover.offeredBy, facts),
    note: cover.note,
    proposal: cover.proposal && presentProposal(cover, cover.proposal, facts),
    declined_by: cover.declinedBy.map((userId) => personOf(userId, facts)),
    taken_by: personOrNull(cover.takenBy, facts),
    decided_by: personOrNull(cover.decidedBy, facts),
    decided_at: instantTextOrNull(cover.decidedAt),
    created_at: instantText(cover.createdAt),
    updated_at: instantText(cover.updatedAt),
    sentence: sentence(cover, facts),
    may: mayOf(cover, facts),
  };
}

function presentProposal(
  cover: StoredCover,
  { moves, complete, proven, proposedBy }: StoredProposal,
  facts: Facts,
): Proposal {
  return {
    moves: moves.map(({ stage, seat, from, to, loses, gains }) => ({
      stage,
      seat,
      starts_at: wire(from),
      ends_at: wire(to),
      loses: personOrNull(loses, facts),
      gains: personOf(gains, facts),
    })),
    complete,
    proven,
    asked_by: personOrNull(proposedBy, facts),
    sentence: costs(cover, facts),
  };
}

/** What the proposal costs each person: the hours gained, and those on call around that time. */
function costs(cover: StoredCover, facts: Facts): string {
  const { own, freeing } = movesOf(cover);
  return [...own, ...freeing]
    .map((move) => {
      const { name } = personOf(move.gains, facts);
      const around = loadAround(facts.roster, move.gains, move) / 3_600_000;
      const values = { name, hours: hours((move.to - move.from) / 3_600_000), around: hours(around) };
      return own.includes(move) || move.loses === null
        ? t('{name} takes {hours}, on top of {around} on call in the two weeks before and after.', values)
        : t(
            '{name} takes {hours} from {loser}, on top of {around} on call in the two weeks before and after.',
            {
              ...values,
              loser: personOf(move.loses, facts).name,
            },
          );
    })
    .join(' ');
}

function hours(count: number): string {
  return t('{count, plural, one {# hour} other {# hours}}', { count: Math.round(count * 10) / 10 });
}

function sentence(cover: StoredCover, facts: Facts): string {
  const nameOf = (userId: string | null) => (userId === null ? t('somebody') : personOf(userId, facts).name);
  return coverSentence(cover, { nameOf, timeZone: facts.schedule.timeZone });
}

function mayOf(cover: StoredCover, facts: Facts): Cover['may'] {
  const { viewer, manages, people, at } = facts;
  const waits = (cover.state === 'open' || cover.state === 'proposed') && cover.to > at;
  const owns = manages || cover.userId === viewer.userId || cover.offeredBy === viewer.userId;
  const proposed = cover.proposal?.moves.filter(({ gains }) => gains === viewer.userId).length ?? 0;
  const all = cover.proposal?.moves.length ?? 0;
  const refusal = waits
    ? takeNot(cover, facts, people.get(viewer.userId))
    : t('A replacement is no longer needed.');
  return {
    take: refusal === null,
    take_not: refusal,
    assign: waits && manages,
    offer: waits && owns,
    decline: waits && proposed > 0,
    apply: waits && all > 0 && (manages || proposed === all),
    withdraw: waits && owns && cover.cause === 'asked',
  };
}

function takeNot(cover: StoredCover, facts: Facts, viewer: Person | undefined): string | null {
  if (!viewer || viewer.id === cover.userId) return t('It is your own shift.');
  const place = { stage: cover.stage, seat: cover.seat, from: Math.max(cover.from, facts.at), to: cover.to };
  const found = ineligibilityTexts(facts, viewer, place).filter(
    ({ ineligibility }) => isHard(ineligibility) || ineligibility === 'not_member',
  );
  return found.length === 0 ? null : asSentence(found.map(({ sentence: text }) => text).join('; '));
}

function personOf(userId: string, { people }: Facts): Person {
  return people.get(userId) ?? { id: userId, name: t('Somebody who left'), email: '' };
}

function personOrNull(userId: string | null, facts: Facts): Person | null {
  return userId === null ? null : personOf(userId, facts);
}

function wire(epochMilliseconds: number): string {
  return instantText(instant(epochMilliseconds));
}
