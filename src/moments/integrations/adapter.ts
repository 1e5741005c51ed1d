import type { MomentEvent } from '../event.ts';

/** Headers as they are stored: names in lower case, secrets removed. */
export type Headers = Readonly<Record<string, string>>;

export type AdapterInput = {
  headers: Headers;
  /** The body as it came; adapters find out themselves what it is. */
  body: Buffer;
  /** The webhook's own settings. */
  settings: Readonly<Record<string, unknown>>;
  receivedAt: Temporal.Instant;
};

export type AdapterResult =
  | { events: MomentEvent[] }
  /** Understood, and nothing to record; a sentence says why. */
  | { ignored: string }
  /** Not understood; a sentence says what is wrong and what would be right. */
  | { error: string };

/** A call and the signing secret of its webhook, before anything of it is believed. */
export type SignedCall = {
  headers: Headers;
  body: Buffer;
  secret: string;
  now: Temporal.Instant;
};

/**
 * Turns one sender's calls into events. `read` is pure, takes time linear in the body, and never throws: whatever
 * arrives, it gives whole events or the reason why there are none.
 */
export type Adapter = {
  /** Largest body in bytes. */
  bodyLimit: number;
  read(input: AdapterInput): AdapterResult;
  /** For senders that sign: whether the signature over the raw body is right, compared in constant time. */
  verify?: (call: SignedCall) => boolean;
  /** For senders that sign: a sentence about what is wrong with a secret, or null. */
  checkSecret?: (secret: string) => string | null;
};

const MEBIBYTE = 1_024 * 1_024;
export const USUAL_BODY_LIMIT = MEBIBYTE;
/** For senders that put a whole group of alerts, however large, into one call. */
export const GROUP_BODY_LIMIT = 5 * MEBIBYTE;
