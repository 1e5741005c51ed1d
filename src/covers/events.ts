import type { StoredCover } from './store.ts';

/** A change of a cover about which people are notified. `by` is who made it; null for the service. */
export type CoverEvent = {
  kind: 'opened' | 'proposed' | 'applied' | 'taken' | 'withdrawn' | 'expired';
  cover: StoredCover;
  /** The cover before the change, with its earlier proposal. */
  before: StoredCover | null;
  by: string | null;
};
