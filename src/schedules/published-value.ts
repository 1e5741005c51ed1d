import { type PublishedChanges, publishedChangesText } from './plan/published-changes.ts';

/** What happens to published shifts that are under way or to come, for programs. */
export type PublishedValue = {
  /** How many there were. */
  shifts: number;
  /** Of which somebody else, or nobody, has most of the time afterwards. */
  handed_over: number;
  /** Those of them that begin within three days. */
  within_three_days: number;
  /** Stay whose they are, and begin or end at another time. */
  other_hours: number;
  /** All of this in words. */
  sentence: string;
};

export function publishedValue(changes: PublishedChanges): PublishedValue {
  const { shifts, handedOver, soon, otherHours } = changes;
  const sentence = publishedChangesText(changes);
  return { shifts, handed_over: handedOver, within_three_days: soon, other_hours: otherHours, sentence };
}
