import type { Interval } from '../kit/interval.ts';
import type { Urgency } from '../people/contract.ts';
import { type Sleep, sleepsAtMinute, USUAL_SLEEP } from '../people/persons/sleep.ts';
import { localClock } from './local-clock.ts';

/** Somebody was asked about a page. */
export type Asking = { userId: string; at: number; urgency: Urgency };

/** Whose clock and sleep it is. */
export type Sleeper = { id: string; timeZone: string; sleep: Sleep | null };

/** One hour of somebody's clock in which a page called for them. `weekday`: 0 for Monday; `hour`: 0 to 23. */
export type InterruptedHour = { userId: string; weekday: number; hour: number; asleep: boolean };

/** Pages of low urgency wait until they are read: they interrupt nobody. */
function interrupts({ urgency }: Pick<Asking, 'urgency'>): boolean {
  return urgency !== 'low';
}

/** By person what their clock shows at an instant, and whether they would sleep then. */
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

/** Each hour once, however often it rang; an hour in which sleep began or ended counts as sleep when it rang then. */
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
