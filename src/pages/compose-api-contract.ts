import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { Nullable } from '../kit/nullable-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { ChannelName, Person, Urgency } from '../people/contract.ts';
import { RESPONDER_KINDS, TeamPageBody, URGENCIES } from './contract.ts';

/** The dashboard's API for raising pages. */

const recipient = {
  kind: Type.Enum(['team', 'person'], { type: 'string' }),
  recipient: Type.String({
    minLength: 1,
    maxLength: 320,
    format: 'text',
    description: 'The slug of a team, or the email address of a person.',
  }),
  /** Default: medium for a team, high for a person. */
  urgency: Type.Optional(Type.Enum([...URGENCIES], { type: 'string' })),
};

const ComposeBody = Type.Object({
  ...recipient,
  title: TeamPageBody.properties.title,
  text: TeamPageBody.properties.text,
  source_url: TeamPageBody.properties.source_url,
  drill: TeamPageBody.properties.drill,
  /** The moment that the page is about. The two are linked; the moment does not change. */
  moment: Type.Optional(
    Type.String({ maxLength: 100, description: 'The ID of the moment that the page is about.' }),
  ),
});
export type ComposeBody = Static<typeof ComposeBody>;

const ComposeAnswer = Type.Object({ page_id: Type.String(), service_request_id: Type.String() });

const PreviewBody = Type.Object(recipient);
export type PreviewBody = Static<typeof PreviewBody>;

const PreviewNotification = Type.Object({
  channel: ChannelName,
  after_seconds: Type.Number({ description: 'The seconds from the step that notifies the person.' }),
  address: Type.String({ description: 'The address, shortened.' }),
  problem: Nullable(
    Type.String(),
    'Why it would not arrive, as a sentence; it then fails over to the next channel at once.',
  ),
});
export type PreviewNotification = Static<typeof PreviewNotification>;

export const PreviewPerson = Type.Object({
  person: Person,
  away_until: Nullable(
    Type.String(TIME),
    'Set while a `hard_unavailable` record covers the current time; the next stage is then notified at the same time.',
  ),
  notifications: Type.Array(PreviewNotification, {
    description: 'The notifications, in the order of sending.',
  }),
});
export type PreviewPerson = Static<typeof PreviewPerson>;

const AfterSeconds = Type.Number({ description: 'The seconds from now.' });

export const PreviewNotify = Type.Object({
  kind: Type.Literal('notify'),
  after_seconds: AfterSeconds,
  as: Type.Enum(RESPONDER_KINDS, { type: 'string' }),
  stage: Nullable(Type.Number()),
  round: Type.Integer(),
  people: Type.Array(PreviewPerson),
});
export const PreviewExpiry = Type.Object({ kind: Type.Literal('expire'), after_seconds: AfterSeconds });

const PreviewStep = Type.Union([PreviewNotify, PreviewExpiry]);
export type PreviewStep = Static<typeof PreviewStep>;

const RefusedPage = Type.Object({
  id: Type.String(),
  kind: Type.Enum(['team', 'person'], { type: 'string' }),
  at: Type.String(TIME),
  by: Nullable(Person),
  title: Nullable(
    Type.String(),
    'The ID of the moment that the page is about; null if the body did not name one.',
  ),
  recipient: Nullable(Type.String()),
  reasons: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
});
export type RefusedPage = Static<typeof RefusedPage>;

export const composeApi = {
  raise: endpoint('POST /api/pages', {
    summary: 'Raise a page',
    description: 'Raises a page. Accepts the header Idempotency-Key.',
    body: ComposeBody,
    response: ComposeAnswer,
    status: [201],
  }),
  again: endpoint('POST /api/pages/:id/again', {
    summary: 'Raise an unanswered page again',
    description:
      'Raises a new page with the same texts and answers 201, or 200 if somebody has already paged again. Accepts the header Idempotency-Key.',
    response: Type.Object({
      ...ComposeAnswer.properties,
      paged_again_by: Nullable(
        Type.Object({ name: Type.String() }),
        'The person who had already paged again, if this is their page; null for a new page.',
      ),
    }),
    status: [200, 201],
  }),
  preview: endpoint('POST /api/pages/preview', {
    summary: 'Preview whom a page would notify, how and when',
    body: PreviewBody,
    response: Type.Object({
      refused: Nullable(
        Type.String(),
        'Why such a page would be refused, as a sentence; then there are no steps.',
      ),
      urgency: Urgency,
      steps: Type.Array(PreviewStep, {
        description: 'The steps of a page that is raised now, if nobody answers.',
      }),
    }),
  }),
  refused: endpoint('GET /api/refused-pages', {
    summary: 'List pages that were refused',
    description: 'Lists them newest first.',
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
      before: Type.Optional(
        Type.String({ maxLength: 100, description: 'The ID of the last item in the previous answer.' }),
      ),
    }),
    response: Type.Object({ refused: Type.Array(RefusedPage), has_more: Type.Boolean() }),
  }),
};
