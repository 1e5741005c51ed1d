import { type Static, Type } from 'typebox';
import type { ChannelName, Person } from '../people/contract.ts';
import type { ResponderKind } from './api-contract.ts';
import { TeamPageBody, URGENCIES } from './contract.ts';

/** What the composer of the dashboard sends and reads. */

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
  /** The moment that the page is about; the two are linked, and nothing else comes of it. */
  moment: Type.Optional(Type.String({ maxLength: 100, description: 'id of the moment that it is about' })),
});
export type ComposeBody = Static<typeof ComposeBody>;

export type ComposeAnswer = { page_id: string; service_request_id: string };
/** `paged_again_by`: the page was paged again before, and this is that page; null for a new one. */
export type AgainAnswer = ComposeAnswer & { paged_again_by: { name: string } | null };

export const PreviewBody = Type.Object(recipient);
export type PreviewBody = Static<typeof PreviewBody>;

/** What a page would do if it were raised now and nobody answered. */
export type PagePreview = {
  /** Why such a page would be refused, in a sentence; there are no steps then. */
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
  /** A `hard_unavailable` record covers now; the next stage is asked at the same time. */
  away_until: string | null;
  /** In the order in which they leave; seconds count from the moment the person is asked. */
  notifications: PreviewNotification[];
};

export type PreviewNotification = {
  channel: ChannelName;
  after_seconds: number;
  /** Shortened. */
  address: string;
  /** Why it would not arrive, in a sentence; the next channel starts at once then. */
  problem: string | null;
};

export type RefusedPage = {
  id: string;
  kind: 'team' | 'person';
  at: string;
  by: Person | null;
  /** As far as the body had them. */
  title: string | null;
  recipient: string | null;
  reasons: { field: string; message: string }[];
};
export type RefusedPages = { refused: RefusedPage[]; has_more: boolean };

export const RefusedQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 100, description: 'Id of the last one of the former answer.' }),
  ),
});
export type RefusedQuery = Static<typeof RefusedQuery>;
