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
    Type.String({ maxLength: 100, description: 'id of a webhook or page source: only its calls' }),
  ),
  state: Type.Optional(Type.Enum(CALL_STATES, { type: 'string' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 100, description: 'Id of the last call in the previous answer.' }),
  ),
});

/** What an event of a page source did. */
const CallPage = Type.Object({
  action: Type.Enum(PAGE_ACTIONS, { type: 'string' }),
  reason: Nullable(Type.String(), 'Why, where the action alone does not say it.'),
  page: Nullable(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      state: Type.Enum(PAGE_STATES, { type: 'string' }),
    }),
    'Null where there is no page, or no longer.',
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
  integration: Type.String({ description: '`api`, `custom` or the name of an integration.' }),
  state: Type.Enum(CALL_STATES, { type: 'string' }),
  reason: Nullable(
    Type.String(),
    'Why no moment was recorded or nobody was paged; null if nothing is missing.',
  ),
  attempts: Type.Integer({
    description: 'How many times it was processed; a retry starts from zero.',
  }),
  received_at: Type.String(TIME),
  processed_at: Type.Union([Type.String(TIME), Type.Null()]),
  request_id: Nullable(
    Type.String(),
    'The request whose id the sender received; null when the call was refused.',
  ),
  bytes: Type.Integer({ description: 'Size of the body in bytes.' }),
  may_retry: Type.Boolean({
    description: 'The call failed, its sender was authenticated, and the viewer is a member of the team.',
  }),
  pages: Type.Array(CallPage, {
    description: 'What the events of a page source did: the first 3 in a list, the first 100 of one call.',
  }),
  page_count: Type.Integer({ description: 'How many events the call had, if it was to a page source.' }),
});

const CallShown = Type.Object({
  ...CallListed.properties,
  moments: Type.Integer({ description: 'How many moments it created or changed.' }),
});
export type CallShown = Static<typeof CallShown>;

const CallDetail = Type.Object({
  ...CallListed.properties,
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'As received, without credentials.',
  }),
  body: Type.Object(
    {
      encoding: Type.Enum(['utf-8', 'base64'], { type: 'string' }),
      content: Type.String(),
      whole: Type.Boolean(),
    },
    {
      description:
        'As received: text if it is valid UTF-8, otherwise base64. If not `whole`, only the beginning, or nothing, was stored.',
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

const Retried = Type.Object({ retried: Type.Integer({ description: 'How many calls are read again.' }) });

export const callsApi = {
  list: endpoint('GET /api/notifications', {
    summary: 'List received calls',
    description: 'Calls of webhooks and page sources, newest first, also of those that were revoked.',
    query: CallListQuery,
    response: Type.Object({ notifications: Type.Array(CallShown), has_more: Type.Boolean() }),
  }),
  show: endpoint('GET /api/notifications/:id', { summary: 'Show a received call', response: CallDetail }),
  counts: endpoint('GET /api/notifications/counts', {
    summary: 'Count received calls that are queued, failed or were ignored',
    description: 'Counting stops at ten thousand.',
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
