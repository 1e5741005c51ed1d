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

export type RunsStarted = {
  /** People whose rules run now; those who were already asked in this round are left alone. */
  userIds: string[];
  /** People without any way to reach them. */
  unreachable: string[];
  /** When the last notification of all these rules is due, counted from now. */
  lastAfterMs: number;
  /** Called after the commit: hands over what must leave at once. */
  send(): void;
};

/** The room of notifications as the pages see it; the composition root puts the real one in. */
export type Notifier = {
  start(
    tx: Tx,
    page: PageFacts,
    recipients: readonly Recipient[],
    at: Temporal.Instant,
    type: 'page.notification' | 'page.expired',
  ): Promise<RunsStarted>;
  /** Whatever was not sent yet will not be. */
  cancel(tx: Tx, pageId: string, at: Temporal.Instant): Promise<void>;
};
