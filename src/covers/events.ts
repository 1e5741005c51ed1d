import type { StoredCover } from './cover-store.ts';

/** Something that happened to a cover and that people should know. `by` is who did it; null: it happened by itself. */
export type CoverEvent = {
  kind: 'opened' | 'proposed' | 'applied' | 'taken' | 'withdrawn' | 'expired';
  cover: StoredCover;
  /** The cover before: who was proposed or had it. */
  before: StoredCover | null;
  by: string | null;
};
