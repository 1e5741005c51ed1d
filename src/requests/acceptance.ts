import type { QueuedEnvelope, RequestKind } from './contract.ts';
import type { Idempotency } from './idempotency.ts';

/** An asynchronous request that was validated and only needs to be written. */
export type Acceptance = {
  requestId: string;
  organizationId: string;
  kind: RequestKind;
  /** The API key or webhook of the request; idempotency keys belong to it. */
  credential: string;
  idempotency: Idempotency | null;
  envelope: QueuedEnvelope;
  /**
   * Columns of the rows that the tail of the statement writes with the request; plain JSON. `accepted_ms`: when it was
   * accepted, for a request that is written again.
   */
  row: Record<string, unknown>;
  /** The approximate size of the row in bytes; left out for small rows. */
  bytes?: number;
  /** Within what its team, person or webhook waits for, 0 goes first. Left out for what is never slowed down. */
  rank?: number;
};

export type Accepted = {
  envelope: QueuedEnvelope;
  /** True when this repeats an earlier answer and nothing was written. */
  replayed: boolean;
};
