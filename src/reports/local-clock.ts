/** An instant in a person's local time. */
export type LocalTime = {
  /** 0 for Monday to 6 for Sunday. */
  weekday: number;
  /** From midnight. */
  minute: number;
  /** When the local hour began. It distinguishes the two equal hours when the clocks are put back. */
  hour: number;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Converts tens of thousands of instants between two bounds (epoch milliseconds) to the local time of a zone. */
export function localClock(timeZone: string, from: number, to: number): (at: number) => LocalTime {
  const offsets = offsetsBetween(timeZone, from, to);
  return (at) => {
    let offset = 0;
    for (const change of offsets) if (change.from <= at) offset = change.offset;
    const local = at + offset;
    // 1 January 1970 was a Thursday.
    const weekday = (((Math.floor(local / DAY) + 3) % 7) + 7) % 7;
    const minute = Math.floor((((local % DAY) + DAY) % DAY) / MINUTE);
    return { weekday, minute, hour: Math.floor(local / HOUR) * HOUR - offset };
  };
}

function offsetsBetween(timeZone: string, from: number, to: number): { from: number; offset: number }[] {
  let local: Temporal.ZonedDateTime | null =
    Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone);
  const offsets = [{ from: Number.NEGATIVE_INFINITY, offset: local.offsetNanoseconds / 1e6 }];
  for (
    local = local.getTimeZoneTransition('next');
    local && local.epochMilliseconds <= to;
    local = local.getTimeZoneTransition('next')
  )
    offsets.push({ from: local.epochMilliseconds, offset: local.offsetNanoseconds / 1e6 });
  return offsets;
}
