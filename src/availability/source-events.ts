import type { Occurrence } from '../calendars/occurrences.ts';
import { saysAway } from './absence-words.ts';
import { MAX_NAME_LENGTH } from './contract.ts';
import type { EventChoice } from './sources-api-contract.ts';

/** The record wanted for one occurrence of an event. */
export type WantedRecord = {
  event: string;
  name: string;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
};

/**
 * Events of this service's own feeds: a person who subscribes to their shifts in a calendar is not away during them.
 */
const OUR_OWN = /@on-call\.tocsin /;

/** The records that the occurrences of a calendar imply. `name`: for events without a title. */
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
  // Events with the same name and time are one record.
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

/** Removes NUL, which PostgreSQL cannot store, and cuts the title to the longest name. */
function shortened(title: string): string {
  return [...title.replaceAll('\u0000', '').replace(/\s+/g, ' ')].slice(0, MAX_NAME_LENGTH).join('');
}
