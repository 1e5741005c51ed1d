import type { QueuedEnvelope, RequestKind } from './contract.ts';
import type { Idempotency } from './idempotency.ts';

/** One asynchronous request that was checked and only has to be written. */
export type Acceptance = {
  requestId: string;
  organizationId: string;
  kind: RequestKind;
  /** The API key or webhook that asked; idempotency keys are its own. */
  credential: string;
  idempotency: Idempotency | null;
  envelope: QueuedEnvelope;
  /** Columns of the rows that the tail of the statement writes beside the request; plain JSON. */
  row: Record<string, unknown>;
  /** About how large the row is, in bytes, where that may matter. */
  bytes?: number;
};

export type Accepted = {
  envelope: QueuedEnvelope;
  /** True when an earlier answer is given again and nothing was written. */
  replayed: boolean;
};
