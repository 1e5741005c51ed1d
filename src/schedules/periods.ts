/** Returns a function that names the local week of an instant. */
export function weekIn(timeZone: string): (ms: number) => string {
  return (ms) => {
    const local = localDate(ms, timeZone);
    return `${local.yearOfWeek}-W${local.weekOfYear}`;
  };
}

export function monthIn(timeZone: string): (ms: number) => string {
  return (ms) => localDate(ms, timeZone).toPlainYearMonth().toString();
}

function localDate(ms: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
}
