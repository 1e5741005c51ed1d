import type { Interval } from '../kit/interval.ts';
import type { Urgency } from '../people/contract.ts';
import { type Sleep, sleepsAtMinute, USUAL_SLEEP } from '../people/persons/sleep.ts';

/** Pages of low urgency wait until people read them, so they interrupt nobody. */
const INTERRUPTING: readonly Urgency[] = ['medium', 'high'];

export function interrupts({ urgency }: { urgency: Urgency }): boolean {
  return INTERRUPTING.includes(urgency);
}

/** The person, with their zone and sleep. */
export type Sleeper = { id: string; timeZone: string; sleep: Sleep | null };

/**
 * The clocks of people as columns, which the database joins with the times at which it notified them: an entry for each person
 * and for each change of their clock.
 */
export type Clocks = {
  userIds: string[];
  /** In minutes since 1970; the first and the last of a person have no bound. */
  since: number[];
  until: number[];
  /** What local time is ahead of UTC, in minutes. */
  ahead: number[];
  /** The position in `nights`, from 1. */
  sleeps: number[];
  /** A digit for each minute of the day, from midnight: `1` when the person would be asleep. */
  nights: string[];
  interrupting: readonly Urgency[];
};

/** The clocks of people in a period (epoch milliseconds). */
export function clocksOf(people: readonly Sleeper[], period: Interval): Clocks {
  const clocks: Clocks = {
    ...{ userIds: [], since: [], until: [], ahead: [], sleeps: [], nights: [] },
    interrupting: INTERRUPTING,
  };
  const changesOf = new Map<string, ReturnType<typeof changesBetween>>();
  for (const { id, timeZone, sleep } of people) {
    const changes = changesOf.get(timeZone) ?? changesBetween(timeZone, period);
    changesOf.set(timeZone, changes);
    const night = positionOf(clocks.nights, nightOf(sleep ?? USUAL_SLEEP));
    for (const [index, { since, ahead }] of changes.entries()) {
      clocks.userIds.push(id);
      clocks.since.push(since);
      clocks.until.push(changes[index + 1]?.since ?? Number.MAX_SAFE_INTEGER);
      clocks.ahead.push(ahead);
      clocks.sleeps.push(night);
    }
  }
  return clocks;
}

const MINUTES = Array.from({ length: 24 * 60 }, (_, minute) => minute);

function nightOf(sleep: Sleep): string {
  return MINUTES.map((minute) => (sleepsAtMinute(minute, sleep) ? '1' : '0')).join('');
}

/** From 1; adds what the list lacks. */
function positionOf(list: string[], value: string): number {
  const position = list.indexOf(value);
  return position === -1 ? list.push(value) : position + 1;
}

function changesBetween(timeZone: string, { from, to }: Interval): { since: number; ahead: number }[] {
  let local: Temporal.ZonedDateTime | null =
    Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone);
  const changes = [{ since: Number.MIN_SAFE_INTEGER, ahead: minutesAhead(local) }];
  for (
    local = local.getTimeZoneTransition('next');
    local && local.epochMilliseconds <= to;
    local = local.getTimeZoneTransition('next')
  )
    changes.push({ since: Math.ceil(local.epochMilliseconds / 60_000), ahead: minutesAhead(local) });
  return changes;
}

function minutesAhead({ offsetNanoseconds }: Temporal.ZonedDateTime): number {
  return Math.round(offsetNanoseconds / 60e9);
}
