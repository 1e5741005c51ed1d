import type { ChannelName } from '../notifications/channels/contract.ts';
import type { PageState, ResponderKind } from './contract.ts';
import type { Urgency } from './urgency-contract.ts';

/** How somebody acted on a page. */
export type Via = ChannelName | 'dashboard' | 'link' | 'api' | 'source';

/** A page source that acts on a page. `as`: the person whom its call names. */
export type ActingSource = { id: string; name: string; as: string | null };

type UserIds = readonly string[];
export type Acted = { via: Via; source?: ActingSource };
type Answered = Acted & { from: PageState };
type Postponed = Acted & { until: string };

/**
 * The events of a page and the data that each of them carries, as `page_events` stores them. Those who write events, the
 * timeline and the dashboard all use this declaration. Events also name a user: the person who acted or, for `unreachable`,
 * `disabled` and `reminded`, the person concerned.
 */
export type PageEventData = {
  /** `reasons`: what the rules of the source made of the event. `previous_page_id`: the page of the same dedup key before it. */
  raised: { source?: ActingSource; reasons?: readonly string[]; previous_page_id?: string };
  /** Events with the dedup key of this page, which changed nothing else; `until` is the time of the last of them. */
  repeated: {
    action: 'trigger' | 'acknowledge' | 'unacknowledge' | 'resolve';
    count: number;
    until: string;
    source?: ActingSource;
  };
  urgency_raised: { from: Urgency; to: Urgency; reasons: readonly string[]; source?: ActingSource };
  /** The same dedup key raised another page after this one had ended. */
  came_back: { page_id: string };
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
  comment: { text: string; source?: ActingSource };
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
