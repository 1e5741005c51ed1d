/** Minutes from midnight in a person's own zone. If `until` is before `from`, it spans midnight. */
export type Sleep = { from: number; until: number };

/** For people who have not set it. */
export const USUAL_SLEEP: Sleep = { from: 22 * 60, until: 7 * 60 };

/** Whether a person would have been asleep at this moment. */
export function sleepsAt(at: Temporal.Instant, timeZone: string, sleep: Sleep): boolean {
  const { hour, minute } = at.toZonedDateTimeISO(timeZone);
  return sleepsAtMinute(hour * 60 + minute, sleep);
}

/** The same in a person's local time: `now` in minutes from midnight. */
export function sleepsAtMinute(now: number, { from, until }: Sleep): boolean {
  return from < until ? from <= now && now < until : now >= from || now < until;
}

/** `22:00` → 1320. */
export function minuteOfDay(text: string): number {
  const [hours = '0', minutes = '0'] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** 1320 → `22:00`. */
export function timeOfDay(minute: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
