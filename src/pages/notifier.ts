import type { Tx } from '../db/database.ts';
import type { PageState, Urgency } from './contract.ts';
import type { Recipient } from './escalation.ts';

/** What the room of notifications needs to know about a page to begin a run of somebody's rules. */
export type PageFacts = {
  id: string;
  organizationId: string;
  requestId: string;
  urgency: Urgency;
  state: PageState;
  round: number;
};

/** People to be asked about one page. */
export type Asking = {
  page: PageFacts;
  recipients: readonly Recipient[];
  type: 'page.notification' | 'page.expired';
  /** They may have been asked before, by a server of the database that failed over: what leaves at once says so. */
  mayRepeat?: boolean;
};

/** What came of asking about one page. */
export type RunsStarted = {
  /** People whose rules run now; those whom this very step asked before are left alone. */
  userIds: string[];
  /** People without any way to reach them. */
  unreachable: string[];
  /** When the last notification of all these rules is due, counted from now. */
  lastAfterMs: number;
};

export type Started = {
  /** In the order of the askings. */
  runs: RunsStarted[];
  /** To be called after the commit: hands over what must leave at once. */
  send(): void;
};

/** Runs that are known, but whose notifications are not written down yet. */
export type Prepared = Started & {
  /** Once, in the same transaction. */
  write(tx: Tx): Promise<void>;
};

/** The room of notifications as the pages see it; the composition root puts the real one in. */
export type Notifier = {
  /** The first half of `start`, for those who write something themselves meanwhile. */
  prepare(tx: Tx, askings: readonly Asking[], at: Temporal.Instant): Promise<Prepared>;
  /** Begins runs of rules, for several pages together; each page at most once. */
  start(tx: Tx, askings: readonly Asking[], at: Temporal.Instant): Promise<Started>;
  /** What was not sent yet will not be, to one person or to anybody. */
  cancel(tx: Tx, pageId: string, at: Temporal.Instant, userId?: string): Promise<void>;
  /** What was cancelled at `since` or later will be sent after all: the answer that cancelled it was undone. */
  resume(tx: Tx, pageId: string, since: Temporal.Instant, at: Temporal.Instant): Promise<void>;
  /** True when there is room for more notifications: what cannot be sent soon must not be leased. */
  room(): Promise<boolean>;
};
