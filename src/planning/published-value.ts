import type { PublishedValue } from '../schedules/settings-contract.ts';
import { type PublishedChanges, publishedChangesText } from './published-changes.ts';

export function publishedValue(changes: PublishedChanges): PublishedValue {
  const { shifts, handedOver, soon, otherHours } = changes;
  const sentence = publishedChangesText(changes);
  return { shifts, handed_over: handedOver, within_three_days: soon, other_hours: otherHours, sentence };
}
