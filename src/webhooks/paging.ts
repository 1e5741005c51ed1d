import type { Tx } from '../db/database.ts';
import type { Adapter, AdapterResult } from '../moments/integrations/adapter.ts';
import type { ClaimedCall } from './call-store.ts';
import type { Outcome } from './outcome.ts';

/** A call of a page source that was read. `momentIds`: the moments that were recorded for it. */
export type SourceCall = {
  call: ClaimedCall;
  result: Extract<AdapterResult, { events: unknown }>;
  momentIds: readonly string[];
};

/** The functions of page sources that the processing of calls uses; the room `sources` implements it. */
export type Paging = {
  /** The adapter of a type that only sources have, or that reads the page form of `custom`; null for all others. */
  adapterFor(type: string): Adapter | null;
  /** Pages people, or changes open pages, for these calls, which are in the order of their receipt. */
  page(tx: Tx, at: Temporal.Instant, calls: readonly SourceCall[]): Promise<Paged>;
};

export type Paged = {
  /** How each call ended, by its id. */
  outcomes: ReadonlyMap<string, Outcome>;
  /** Sends the deliveries that are due at once. Call it after the commit. */
  afterCommit(): void;
};
