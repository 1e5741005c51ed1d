import { type Static, Type } from 'typebox';
import type { ChannelName, Person } from '../people/contract.ts';
import { MOST_ACKNOWLEDGE_TIMEOUT_MINUTES } from '../schedules/acknowledge-timeout-contract.ts';
import {
  type DeliveryState,
  PAGE_STATES,
  type PageState,
  type ResponderKind,
  URGENCIES,
  type Urgency,
} from './contract.ts';
import type { ActingSource, PageEventData, PageEventKind } from './event-contract.ts';

/** The dashboard's own API for pages. Times are ISO 8601 in UTC. */

export const PageListQuery = Type.Object({
  state: Type.Enum(['open', 'all', ...PAGE_STATES], {
    type: 'string',
    default: 'open',
    description: 'open: notifying, acknowledged, or expired until somebody resolves it or pages again',
  }),
  urgency: Type.Optional(Type.Enum([...URGENCIES], { type: 'string' })),
  team: Type.Optional(Type.String({ maxLength: 100, description: 'id of a team' })),
  whose: Type.Optional(
    Type.Enum(['mine'], { type: 'string', description: 'mine: those that notified the viewer' }),
  ),
  person: Type.Optional(
    Type.String({ maxLength: 100, description: 'id of a person: those that notified this person' }),
  ),
  source: Type.Optional(Type.String({ maxLength: 100, description: 'id of a page source' })),
  from: Type.Optional(Type.String({ format: 'instant', description: 'Raised then or later.' })),
  to: Type.Optional(Type.String({ format: 'instant', description: 'Raised before.' })),
  text: Type.Optional(Type.String({ maxLength: 200, description: 'part of the title or the text' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 100, description: 'Id of the last page of the previous answer.' }),
  ),
});
export type PageListQuery = Static<typeof PageListQuery>;

export const PeopleBody = Type.Object({
  users: Type.Array(Type.String({ minLength: 1, maxLength: 320, format: 'text' }), {
    minItems: 1,
    maxItems: 50,
    description: 'an array of 1 to 50 user ids or email addresses',
  }),
});
export type PeopleBody = Static<typeof PeopleBody>;

/** Exactly one of the two. */
export const ReassignBody = Type.Object({
  users: Type.Optional(PeopleBody.properties.users),
  team: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, format: 'text', description: "a team's slug" }),
  ),
});
export type ReassignBody = Static<typeof ReassignBody>;

const DelayMinutes = Type.Integer({
  minimum: 1,
  maximum: MOST_ACKNOWLEDGE_TIMEOUT_MINUTES,
  description: 'a whole number of minutes from 1 to 10080 (one week)',
});

/** Without `minutes`, the acknowledgement lasts as long as a new one. */
export const ExtendBody = Type.Object({ minutes: Type.Optional(DelayMinutes) });
export type ExtendBody = Static<typeof ExtendBody>;

export const SnoozeBody = Type.Object({ minutes: DelayMinutes });
export type SnoozeBody = Static<typeof SnoozeBody>;

/** Expired pages to mark as handled together. */
export const HandledBody = Type.Object({
  pages: Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 200,
    description: 'ids of pages',
  }),
});
export type HandledBody = Static<typeof HandledBody>;
export type HandledAnswer = { handled: number };

export const CommentBody = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 10_000, format: 'text' }),
});
export type CommentBody = Static<typeof CommentBody>;

export type PageSummary = {
  id: string;
  kind: 'team' | 'person';
  title: string;
  /** Only the beginning in lists. */
  text: string;
  urgency: Urgency;
  state: PageState;
  round: number;
  /** It expires at the end of this round. */
  last_round: number;
  source_url: string | null;
  /** The page source that raised it; null for pages that people and programs raised. */
  source: { id: string; name: string } | null;
  dedup_key: string | null;
  team: { id: string; name: string; slug: string } | null;
  /** The recipient of a page to a person. */
  person: Person | null;
  raised_by: Person | null;
  created_at: string;
  acknowledged_at: string | null;
  acknowledged_by: Person | null;
  /** The page source that acknowledged it, with the person whom its call named. */
  acknowledged_by_source: ActingSource | null;
  acknowledged_via: string | null;
  resolved_at: string | null;
  resolved_by: Person | null;
  resolved_by_source: ActingSource | null;
  expired_at: string | null;
  /** It expired, and nobody has resolved it or paged again since. */
  unanswered: boolean;
  /** The id of the unanswered page that this one repeats. */
  again_of: string | null;
  /** The last page that repeats this one. */
  paged_again: { id: string; state: PageState; at: string } | null;
  /** Who was notified in this round, in that order. */
  notified: {
    person: Person;
    as: ResponderKind;
    stage: number | null;
    at: string;
    /** They were added to an acknowledged page and have not answered. */
    awaited: boolean;
  }[];
  /** The furthest state that a delivery reached on each channel. */
  channels: { channel: ChannelName; state: DeliveryState }[];
  /** When the acknowledgement times out or the snooze ends; the person who acknowledged is then notified again. */
  remind_at: string | null;
  /** What happens if nobody answers. */
  next: {
    at: string;
    kind: 'stage' | 'backstop' | 'person' | 'members' | 'expire';
    stage: number | null;
    round: number;
  } | null;
  /** The viewer was notified. */
  mine: boolean;
  /** The viewer may acknowledge, resolve and so on. */
  may_act: boolean;
  /** The viewer may silence what the page is about. False for pages that no source raised. */
  may_silence: boolean;
};

export type PageList = { pages: PageSummary[]; has_more: boolean };

/** The data of an event as the dashboard gets it: people instead of their ids. */
type Shown<Data> = {
  [Field in keyof Data]: Data[Field] extends readonly string[] ? Person[] : Data[Field];
};
type ShownEvent<Kind extends PageEventKind, Role extends string> = Kind extends PageEventKind
  ? { kind: Kind } & Record<Role, Person | null> & Shown<PageEventData[Kind]>
  : never;

/** Events by what their user did. */
export type ActionEntry = ShownEvent<
  | 'acknowledged'
  | 'resolved'
  | 'escalated'
  | 'answered_late'
  | 'unacknowledged'
  | 'reopened'
  | 'joined'
  | 'extended'
  | 'snoozed'
  | 'undone'
  | 'added'
  | 'reassigned'
  | 'comment'
  | 'paged_again',
  'by'
>;

export type TimelineEntry = { at: string } & (
  | ActionEntry
  | ShownEvent<'unreachable' | 'disabled' | 'reminded', 'person'>
  | ShownEvent<'gap' | 'failed' | 'repeated' | 'came_back', never>
  | ({ kind: 'urgency_raised' } & PageEventData['urgency_raised'])
  | ({ kind: 'raised'; by: Person | null; request_id: string } & PageEventData['raised'])
  | { kind: 'expired'; notified: Person[] }
  | {
      kind: 'notified';
      person: Person;
      as: ResponderKind;
      stage: number | null;
      round: number;
      why: Record<string, unknown>;
    }
  | {
      kind: 'attempt';
      person: Person;
      channel: ChannelName;
      /** Shortened, so that it can be recognised but not misused. */
      address: string;
      delivery_id: string;
      attempt: number;
      outcome: 'accepted' | 'refused' | 'retry' | 'unknown' | null;
      ended_at: string | null;
      provider_id: string | null;
      error: string | null;
      repeat: boolean;
      receipt: string | null;
      receipt_at: string | null;
      /** When it is retried. */
      next_at: string | null;
    }
  | {
      kind: 'not_sent';
      person: Person;
      channel: ChannelName;
      address: string;
      delivery_id: string;
      error: string | null;
    }
  | {
      kind: 'bundled';
      person: Person;
      channel: ChannelName;
      address: string;
      delivery_id: string;
      into: string | null;
    }
  | {
      kind: 'all_clear';
      person: Person;
      channel: ChannelName;
      address: string;
      delivery_id: string;
      state: AllClearState;
      error: string | null;
    }
  | { kind: 'cancelled'; count: number }
);

/** Of what says that a page is over; `cancelled` before it was accepted, because the page is open again or time is up. */
export type AllClearState = 'waiting' | 'sent' | 'failed' | 'cancelled';

export type UpcomingEntry = { at: string } & (
  | { kind: 'attempt'; person: Person; channel: ChannelName; address: string; again: boolean }
  | { kind: 'notify'; as: ResponderKind; stage: number | null; round: number; people: Person[] }
  | { kind: 'expire' }
);

/** Another page of the same dedup key. */
export type PageOfKey = { id: string; state: PageState; created_at: string };

/** What else is known about the alert of a page. */
export type PageRelated = {
  /** The pages of the same dedup key before and after it. */
  previous: PageOfKey | null;
  later: PageOfKey | null;
  /** Pages of the dedup key within the 24 hours before this one, this one included, at most 100. */
  pages_in_a_day: number;
  /** The moments that are linked with it, the latest first, at most 10. */
  moments: { id: string; name: string; state: string }[];
};

export type PageDetail = {
  page: PageSummary;
  related: PageRelated;
  timeline: TimelineEntry[];
  /** What will happen if nobody answers, soonest first. */
  upcoming: UpcomingEntry[];
  proof: { attempts: number; receipts: number; repeats: number };
};

export type ActionAnswer = {
  /** False when the page was already in this state. */
  changed: boolean;
  message: string;
  page: PageSummary;
};
