import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { Nullable } from '../kit/nullable-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { MomentState, MomentType } from '../moments/kinds-contract.ts';
import { PAGE_ACTIONS, PAGE_STATES } from '../pages/state-contract.ts';

/** What the dashboard reads about received calls. Times are ISO 8601 in UTC. */

export const CALL_STATES = ['queued', 'success', 'error', 'ignored'] as const;
export type CallState = (typeof CALL_STATES)[number];

const CallListQuery = Type.Object({
  webhook: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The ID of a webhook or page source, to list only its calls.',
    }),
  ),
  state: Type.Optional(Type.Enum(CALL_STATES, { type: 'string' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 100, description: 'The ID of the last call in the previous answer.' }),
  ),
});

/** What an event of a page source did. */
const CallPage = Type.Object({
  action: Type.Enum(PAGE_ACTIONS, { type: 'string' }),
  reason: Nullable(Type.String(), 'The reason, if the action alone does not tell it.'),
  page: Nullable(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      state: Type.Enum(PAGE_STATES, { type: 'string' }),
    }),
    'The page; null if there is none, or no longer.',
  ),
});
export type CallPage = Static<typeof CallPage>;

const CallListed = Type.Object({
  id: Type.String(),
  webhook: Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: Type.String(),
    team: Type.String({ description: "The team's slug." }),
    team_name: Type.String(),
  }),
  integration: Type.String({
    description: 'The type of the call: `api`, `custom` or the name of an integration.',
  }),
  state: Type.Enum(CALL_STATES, { type: 'string' }),
  reason: Nullable(
    Type.String(),
    'Why no moment was recorded or nobody was paged; null if nothing is missing.',
  ),
  attempts: Type.Integer({
    description: 'The number of times that it was processed; a retry starts from zero.',
  }),
  received_at: Type.String(TIME),
  processed_at: Type.Union([Type.String(TIME), Type.Null()]),
  request_id: Nullable(
    Type.String(),
    'The request whose ID the sender received; null if the call was refused.',
  ),
  bytes: Type.Integer({ description: 'The size of the body in bytes.' }),
  may_retry: Type.Boolean({
    description:
      'Whether the viewer may retry it: the call failed, its sender was authenticated, and the viewer is a member of the team.',
  }),
  pages: Type.Array(CallPage, {
    description: 'What the events of a page source did: the first 3 in a list, the first 100 of one call.',
  }),
  page_count: Type.Integer({ description: 'The number of events in the call, if it was to a page source.' }),
});

const CallShown = Type.Object({
  ...CallListed.properties,
  moments: Type.Integer({ description: 'The number of moments that it created or changed.' }),
});
export type CallShown = Static<typeof CallShown>;

const CallDetail = Type.Object({
  ...CallListed.properties,
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'The headers as received, without credentials.',
  }),
  body: Type.Object(
    {
      encoding: Type.Enum(['utf-8', 'base64'], { type: 'string' }),
      content: Type.String(),
      whole: Type.Boolean(),
    },
    {
      description:
        'The body as received: text if it is valid UTF-8, otherwise base64. If it is not `whole`, only the beginning or nothing was stored.',
    },
  ),
  moments: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), type: MomentType, state: MomentState }),
  ),
});
export type CallDetail = Static<typeof CallDetail>;

const CallCounts = Type.Object({
  queued: Type.Integer(),
  error: Type.Integer(),
  ignored: Type.Integer(),
});
export type CallCounts = Static<typeof CallCounts>;

const Retried = Type.Object({
  retried: Type.Integer({ description: 'The number of calls that are read again.' }),
});

export const callsApi = {
  list: endpoint('GET /api/notifications', {
    summary: 'List received calls',
    description: 'Lists calls of webhooks and page sources, newest first, including those that were revoked.',
    query: CallListQuery,
    response: Type.Object({ notifications: Type.Array(CallShown), has_more: Type.Boolean() }),
  }),
  show: endpoint('GET /api/notifications/:id', { summary: 'Show a received call', response: CallDetail }),
  counts: endpoint('GET /api/notifications/counts', {
    summary: 'Count received calls that are queued, failed or were ignored',
    description: 'Counts up to 10,000 calls of each kind.',
    query: Type.Object({ webhook: CallListQuery.properties.webhook }),
    response: CallCounts,
  }),
  retry: endpoint('POST /api/notifications/:id/retry', {
    summary: 'Retry a failed call',
    response: Retried,
  }),
  retryAll: endpoint('POST /api/notifications/retry', {
    summary: 'Retry all failed calls of your teams',
    response: Retried,
  }),
  retryWebhook: endpoint('POST /api/webhooks/:id/retry', {
    summary: 'Retry all failed calls of a webhook',
    response: Retried,
  }),
  retrySource: endpoint('POST /api/sources/:id/retry', {
    summary: 'Retry all failed calls of a page source',
    response: Retried,
  }),
};
