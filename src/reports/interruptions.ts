import type { Interval } from '../kit/interval.ts';
import type { Urgency } from '../people/contract.ts';
import { type Sleep, sleepsAtMinute, USUAL_SLEEP } from '../people/persons/sleep.ts';
import { localClock } from './local-clock.ts';

/** A person was notified of a page. */
export type Asking = { userId: string; at: number; urgency: Urgency };

/** The person, with their zone and sleep. */
export type Sleeper = { id: string; timeZone: string; sleep: Sleep | null };

/** One local hour of a person in which a page notified them. `weekday`: 0 for Monday; `hour`: 0 to 23. */
export type InterruptedHour = { userId: string; weekday: number; hour: number; asleep: boolean };

/** Pages of low urgency wait until people read them, so they interrupt nobody. */
export function interrupts({ urgency }: Pick<Asking, 'urgency'>): boolean {
  return urgency !== 'low';
}

/** The local time of a person at an instant, and whether they would be asleep. */
export function sleepers(people: readonly Sleeper[], period: Interval) {
  const clocks = new Map<string, ReturnType<typeof localClock>>();
  const known = new Map(people.map((person) => [person.id, person]));
  return (userId: string, at: number) => {
    const { timeZone, sleep } = known.get(userId) ?? { timeZone: 'UTC', sleep: null };
    const clock = clocks.get(timeZone) ?? localClock(timeZone, period.from, period.to);
    clocks.set(timeZone, clock);
    const time = clock(at);
    return { ...time, asleep: sleepsAtMinute(time.minute, sleep ?? USUAL_SLEEP) };
  };
}

/** Each hour once, even with several notifications. An hour counts as sleep if one of them came during sleep. */
export function interruptedHours(
  askings: readonly Asking[],
  readClock: ReturnType<typeof sleepers>,
): InterruptedHour[] {
  const hours = new Map<string, Map<number, InterruptedHour>>();
  for (const asking of askings) {
    if (!interrupts(asking)) continue;
    const { weekday, minute, hour, asleep } = readClock(asking.userId, asking.at);
    const own = hours.get(asking.userId) ?? new Map<number, InterruptedHour>();
    hours.set(asking.userId, own);
    const known = own.get(hour);
    if (known) known.asleep ||= asleep;
    else own.set(hour, { userId: asking.userId, weekday, hour: Math.floor(minute / 60), asleep });
  }
  return [...hours.values()].flatMap((own) => [...own.values()]);
}
