import { sharedValue } from '../kit/shared-value.ts';

const away = sharedValue(false);

/** Notes whether the last answer of the service said that its database is away. */
export function noteDatabaseAway(isAway: boolean): void {
  if (away.get() !== isAway) away.set(isAway);
}

/** Whether the service cannot reach its database just now. */
export const useDatabaseAway = away.use;
