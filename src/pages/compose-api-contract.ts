import { type Static, Type } from 'typebox';
import type { ChannelName, Person } from '../people/contract.ts';
import { type ResponderKind, TeamPageBody, URGENCIES } from './contract.ts';

/** The dashboard's API for raising pages. */

const recipient = {
  kind: Type.Enum(['team', 'person'], { type: 'string' }),
  recipient: Type.String({
    minLength: 1,
    maxLength: 320,
    format: 'text',
    description: "a team's slug, or a person's email address",
  }),
  /** Left out: medium for a team, high for a person. */
  urgency: Type.Optional(Type.Enum([...URGENCIES], { type: 'string' })),
};

export const ComposeBody = Type.Object({
  ...recipient,
  title: TeamPageBody.properties.title,
  text: TeamPageBody.properties.text,
  source_url: TeamPageBody.properties.source_url,
  /** The moment that the page is about. The two are linked; the moment does not change. */
  moment: Type.Optional(
    Type.String({ maxLength: 100, description: 'id of the moment that the page is about' }),
  ),
});
export type ComposeBody = Static<typeof ComposeBody>;

export type ComposeAnswer = { page_id: string; service_request_id: string };
/** `paged_again_by`: who already paged again, when this is their page; null for a new page. */
export type AgainAnswer = ComposeAnswer & { paged_again_by: { name: string } | null };

export const PreviewBody = Type.Object(recipient);
export type PreviewBody = Static<typeof PreviewBody>;

/** What a page raised now would do if nobody answered. */
export type PagePreview = {
  /** Why such a page would be refused, as a sentence; then there are no steps. */
  refused: string | null;
  urgency: 'low' | 'medium' | 'high';
  steps: PreviewStep[];
};

export type PreviewStep =
  | {
      kind: 'notify';
      after_seconds: number;
      as: ResponderKind;
      stage: number | null;
      round: number;
      people: PreviewPerson[];
    }
  | { kind: 'expire'; after_seconds: number };

export type PreviewPerson = {
  person: Person;
  /** Set while a `hard_unavailable` record covers the current time; the next stage is then notified at the same time. */
  away_until: string | null;
  /** In the order of sending; seconds count from the step that notifies the person. */
  notifications: PreviewNotification[];
};

export type PreviewNotification = {
  channel: ChannelName;
  after_seconds: number;
  /** Shortened. */
  address: string;
  /** Why it would not arrive, as a sentence; it then fails over to the next channel at once. */
  problem: string | null;
};

export type RefusedPage = {
  id: string;
  kind: 'team' | 'person';
  at: string;
  by: Person | null;
  /** Null when the body did not have one. */
  title: string | null;
  recipient: string | null;
  reasons: { field: string; message: string }[];
};
export type RefusedPages = { refused: RefusedPage[]; has_more: boolean };

export const RefusedQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 100, description: 'Id of the last one of the previous answer.' }),
  ),
});
export type RefusedQuery = Static<typeof RefusedQuery>;
