/** A team or person as the sender names them: by a slug or name, or by an email address or name. */
export type Named = { kind: 'team' | 'person'; name: string };

/**
 * What a sender of another product's API requests for the open page of a key, besides events that change its state. Page
 * sources carry it out. Without an open page of the key, it changes nothing.
 */
export type PageOrder = {
  dedupKey: string;
  /** The person who acted, as the sender names them. */
  by: string | null;
  /** What that person wrote, as text without Markdown. */
  comment: string | null;
  at: Temporal.Instant;
} & (
  | { order: 'comment' }
  | { order: 'title'; title: string }
  | { order: 'text'; text: string }
  /** The sender's word for the new severity or priority. */
  | { order: 'severity'; severity: string }
  | { order: 'snooze'; until: Temporal.Instant }
  | { order: 'escalate' }
  | { order: 'add'; responder: Named }
);
