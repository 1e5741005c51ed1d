import type { ChannelName } from '../notifications/channels/contract.ts';
import type { PageState, ResponderKind } from './contract.ts';

/** How somebody acted on a page. */
export type Via = ChannelName | 'dashboard' | 'link' | 'api';

type UserIds = readonly string[];
type Acted = { via: Via };
type Answered = Acted & { from: PageState };
type Postponed = Acted & { until: string };

/**
 * The events of a page and the data that each of them carries, as `page_events` stores them. Those who write events, the
 * timeline and the dashboard all use this declaration. Events also name a user: the person who acted or, for `unreachable`,
 * `disabled` and `reminded`, the person concerned.
 */
export type PageEventData = {
  raised: Record<never, never>;
  notified: {
    round: number;
    people: readonly {
      user_id: string;
      as: ResponderKind;
      stage: number | null;
      why: Record<string, unknown>;
    }[];
  };
  /** Nobody is on call in this stage, so it was skipped. */
  gap: { round: number; stage: number };
  unreachable: { round: number };
  /** `acknowledged`: they had acknowledged the page, which notifies again. */
  disabled: { cancelled: number; acknowledged?: boolean };
  acknowledged: Answered;
  resolved: Answered;
  /** `delivery_id`: the notification that was answered with “escalate”. */
  escalated: Acted & { delivery_id?: string };
  /** Somebody acknowledged the page after it had expired. */
  answered_late: Acted;
  unacknowledged: Acted;
  reopened: Acted;
  /** A person who was added to an acknowledged page answered. */
  joined: Acted;
  extended: Postponed;
  snoozed: Postponed;
  /** The acknowledgement timed out, or the snooze ended. */
  reminded: { snoozed: boolean };
  undone: Acted & { what: 'acknowledgement' | 'resolution' };
  added: Acted & { people: UserIds };
  /** To people, or to a team. */
  reassigned: Acted & { people: UserIds; team?: { id: string; name: string } };
  comment: { text: string };
  /** `told`: the people notified of the expiry. */
  expired: { round: number; told: UserIds };
  /** `page_id`: the page that repeats this one. */
  paged_again: { page_id: string };
  failed: { message: string };
};

export type PageEventKind = keyof PageEventData;

/** An event of one of these kinds, with its data. */
export type PageEventOf<Kind extends PageEventKind> = Kind extends PageEventKind
  ? { kind: Kind; data: PageEventData[Kind] }
  : never;
