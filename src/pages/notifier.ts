import type { RawBuilder } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Notifiable } from '../people/contact-store.ts';
import type { PageState, Urgency } from './contract.ts';
import type { Recipient } from './escalation.ts';

/** What the notifications room needs to know about a page to run a person's notification rules. */
export type PageFacts = {
  id: string;
  organizationId: string;
  requestId: string;
  /** The team of the page, or the person of a page without a team. */
  teamId: string | null;
  userId: string | null;
  urgency: Urgency;
  state: PageState;
  round: number;
};

/** The people to notify about one page. */
export type RecipientGroup = {
  page: PageFacts;
  recipients: readonly Recipient[];
  type: 'page.notification' | 'page.expired';
  /** The page is new: nobody was notified of it before, so nobody has to be skipped. */
  isFirst?: boolean;
  /** Set after a failover of the database: these people may have been notified before, so deliveries are marked as repeats. */
  mayRepeat?: boolean;
};

/** The result of notifying the people of one group. */
export type RunsStarted = {
  /** People whose rules run now, without those whom the same step already notified. */
  userIds: string[];
  /** Those of them who cannot be reached through any channel. */
  unreachable: string[];
  /** Whether somebody can answer: one of them, or one of those whom the same step already notified. */
  canAnswer: boolean;
  /** When the last notification of all these rules is due, counted from now. */
  lastAfterMs: number;
};

export type Started = {
  /** In the order of the groups. */
  runs: RunsStarted[];
  /** Sends the deliveries that are due at once. Call it after the commit. */
  send(): void;
};

/** Planned runs whose deliveries are not stored yet. */
export type Prepared = Pick<Started, 'runs'> & {
  /** What stores the deliveries. Call it once, in the same transaction. */
  storing(tx: Tx): Promise<Storing>;
};

/** Stores the deliveries of planned runs and sends those that are due at once. */
export type Storing = {
  /** Statements for the same transaction, for pages that exist. */
  statements(): RawBuilder<unknown>[];
  /**
   * The same as `with` clauses of the statement that inserts the pages; null if there is nothing to store. `newPages` names the clause
   * that inserts the pages and returns their rows. Notifications of other pages are not stored.
   */
  tail(newPages: RawBuilder<unknown>): RawBuilder<unknown> | null;
  /** Reads what is due at once, after the commit; null when nothing is. */
  read: RawBuilder<object> | null;
  /** Sends what is due at once; call it after the commit, with the rows of `read`, or null to have them read. */
  send(rows: readonly object[] | null): void;
};

/** Selects unsent deliveries: those to one person, and those that are not due at `dueAfter`. */
export type Unsent = { userId?: string; dueAfter?: Temporal.Instant };

/** What pages need from the notifications room, which implements it. */
export type Notifier = {
  /**
   * The first half of `start`, for callers that write other rows between planning and storing. It only reads, and does
   * not read the people in `known` again.
   */
  prepare(
    tx: Tx,
    groups: readonly RecipientGroup[],
    at: Temporal.Instant,
    known: readonly Notifiable[],
  ): Promise<Prepared>;
  /** Begins runs of rules, for several pages together; each page at most once. */
  start(tx: Tx, groups: readonly RecipientGroup[], at: Temporal.Instant): Promise<Started>;
  /** Cancels unsent deliveries; all of them unless `which` limits them. */
  cancel(tx: Tx, pageId: string, at: Temporal.Instant, which?: Unsent): Promise<void>;
  /** Restores the deliveries cancelled at `since` or later, because the answer that cancelled them was undone. */
  resume(tx: Tx, pageId: string, since: Temporal.Instant, at: Temporal.Instant): Promise<void>;
  /** Fails over the notifications that failed at `since` or later, while the page was answered. Call it once the answer is undone. */
  failOver(tx: Tx, pageId: string, since: Temporal.Instant, at: Temporal.Instant): Promise<void>;
  /**
   * Queues all-clears of a page that was just resolved: people who were notified learn that it has ended, on the
   * channels that were used, never by a call. Calls end. Call `send` after the commit.
   */
  allClear(tx: Tx, pageId: string, at: Temporal.Instant): Promise<Pick<Started, 'send'>>;
  /**
   * Queues the silent part of the all-clears of a page that a person just resolved: messages in chats and push
   * notifications are changed once the answer can no longer be undone.
   */
  quietAllClear(tx: Tx, pageId: string, at: Temporal.Instant): Promise<void>;
  /** Whether more notifications fit; deliveries that cannot be sent soon must not be leased. */
  room(): Promise<boolean>;
};
