import { instantText, instantTextOrNull } from '../../kit/instant.ts';
import { t } from '../../language/contract.ts';
import type { Viewer } from '../../sessions/contract.ts';
import type { MethodRow } from '../contact-store.ts';
import { ROLES } from '../contract.ts';
import { presentMethod, presentReach } from '../methods/present.ts';
import type { PersonDetail, PersonSummary, Profile } from '../person-contract.ts';
import { type Means, reachability } from '../reachability.ts';
import { mayActOn, mayGive } from '../rights.ts';
import type { PersonRow } from '../store.ts';
import type { OnCallNow, ShiftAhead } from './shifts.ts';
import { timeOfDay, USUAL_SLEEP } from './sleep.ts';

export function presentProfile(person: PersonRow): Profile {
  const { id, name, username, email, role, timeZone, sleepFrom, sleepUntil, clock, language } = person;
  const sleep = {
    from: timeOfDay(sleepFrom ?? USUAL_SLEEP.from),
    until: timeOfDay(sleepUntil ?? USUAL_SLEEP.until),
  };
  return { id, name, username, email, role, time_zone: timeZone, sleep, clock, language };
}

/** Information about reaching a person, besides their profile. */
export type Surroundings = { methods: readonly MethodRow[]; onCall: readonly OnCallNow[]; means: Means };

export function presentSummary(person: PersonRow, { methods, onCall, means }: Surroundings): PersonSummary {
  const { id, name, email, username, role, teams, dashboardOpen } = person;
  const disabled = person.disabledAt !== null;
  const own = methods.filter(({ userId }) => userId === id);
  const reach = reachability({ disabled, dashboardOpen, methods: own }, means);
  return {
    ...{ id, name, email, username, role, teams },
    disabled,
    on_call: onCall
      .filter(({ userId }) => userId === id)
      .map(({ scheduleId, schedule, stage, until }) => ({
        schedule: { id: scheduleId, name: schedule },
        stage,
        until: instantText(until),
      })),
    ...presentReach(reach),
    why_not_in_short: reach.whyNotInShort,
    proved_at: instantTextOrNull(latest(own.map(({ provedAt }) => provedAt))),
    reached_at: instantTextOrNull(latest(own.map(({ reachedAt }) => reachedAt))),
  };
}

export function presentDetail(
  person: PersonRow,
  around: Surroundings & { shifts: readonly ShiftAhead[]; viewer: Viewer; otherOwners: number },
): PersonDetail {
  const { viewer, otherOwners } = around;
  const change = mayActOn(viewer.role, person.role);
  const lastOwner = person.role === 'owner' && person.disabledAt === null && otherOwners === 0;
  return {
    ...presentSummary(person, around),
    time_zone: person.timeZone,
    contact_methods: around.methods.map((method) => presentMethod(method, around.means)),
    shifts: around.shifts.map(({ id, schedule, stage, startsAt, endsAt }) => ({
      ...{ id, schedule, stage },
      starts_at: instantText(startsAt),
      ends_at: instantText(endsAt),
    })),
    created_at: instantText(person.createdAt),
    may: {
      change,
      roles: change ? ROLES.filter((role) => mayGive(viewer, role)) : [],
      disable: change && !lastOwner,
      why_not: lastOwner
        ? t('{name} is the only owner. Make somebody else an owner first.', { name: person.name })
        : null,
    },
  };
}

function latest(times: readonly (Temporal.Instant | null)[]): Temporal.Instant | null {
  const known = times.filter((time) => time !== null);
  return known.toSorted(Temporal.Instant.compare).at(-1) ?? null;
}
