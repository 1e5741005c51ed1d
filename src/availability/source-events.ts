import type { Occurrence } from '../calendars/occurrences.ts';
import { saysAway } from './absence-words.ts';
import { MAX_NAME_LENGTH } from './contract.ts';
import type { EventChoice } from './sources-api-contract.ts';

/** A record that should be there for one time of an event. */
export type WantedRecord = {
  event: string;
  name: string;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
};

/** Whoever subscribes to their shifts in a calendar that we follow is not away because they are on call. */
const OUR_OWN = /@on-call\.tocsin /;

/** The records that a calendar stands for. `name`: of those whose events have no title. */
export function wantedRecords(
  occurrences: readonly Occurrence[],
  { events, words, name }: { events: EventChoice; words: readonly string[]; name: string },
): WantedRecord[] {
  const isTold = saysAway(words);
  const counts = (one: Occurrence) => {
    if (OUR_OWN.test(one.key)) return false;
    if (events === 'all') return true;
    if (events === 'busy') return !one.isFree || one.isOutOfOffice;
    return one.isOutOfOffice || isTold(one.title);
  };
  // Two events of one name at one time are one record.
  const unique = new Map(
    occurrences.filter(counts).map((one) => [
      `${one.from} ${one.to} ${shortened(one.title || name)}`,
      {
        event: one.key,
        name: shortened(one.title || name),
        startsAt: Temporal.Instant.fromEpochMilliseconds(one.from),
        endsAt: Temporal.Instant.fromEpochMilliseconds(one.to),
      },
    ]),
  );
  return [...unique.values()];
}

/** The database knows no NUL, and names have an end. */
function shortened(title: string): string {
  return [...title.replaceAll('\u0000', '').replace(/\s+/g, ' ')].slice(0, MAX_NAME_LENGTH).join('');
}
