/** Days of a zone. Instants are epoch milliseconds. */
export type ZoneDays = {
  /** The first instant of the day or week (from Monday) that contains `at`. */
  startOfDay(at: number): number;
  startOfWeek(at: number): number;
  /** The same local time so many days later. */
  addDays(at: number, days: number): number;
};

/** The days of a zone by its IANA name. The dashboard loads the polyfill of `Temporal` first where browsers need it. */
export function daysOf(zone: string): ZoneDays {
  const zoned = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  return {
    startOfDay: (at) => zoned(at).startOfDay().epochMilliseconds,
    startOfWeek(at) {
      const local = zoned(at);
      return local.subtract({ days: local.dayOfWeek - 1 }).startOfDay().epochMilliseconds;
    },
    addDays: (at, days) => zoned(at).add({ days }).epochMilliseconds,
  };
}
