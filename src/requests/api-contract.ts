import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { Nullable } from '../kit/nullable-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { REQUEST_KINDS, REQUEST_STATUSES, RequestKind, StatusEnvelope } from './contract.ts';

/** What the dashboard reads about requests. Times are ISO 8601 in UTC. */

const RequestListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 100, description: 'The `next_before` of the previous answer.' }),
  ),
  status: Type.Optional(Type.Enum([...REQUEST_STATUSES], { type: 'string' })),
  kind: Type.Optional(Type.Enum([...REQUEST_KINDS], { type: 'string' })),
});
export type RequestListQuery = Static<typeof RequestListQuery>;

const RequestLine = Type.Object({
  id: Type.String(),
  kind: RequestKind,
  status: Type.Enum([...REQUEST_STATUSES], { type: 'string' }),
  message: Type.String(),
  attempts: Type.Integer(),
  created_at: Type.String(TIME),
  finished_at: Nullable(Type.String(TIME)),
});
export type RequestLine = Static<typeof RequestLine>;

export const requestsApi = {
  list: endpoint('GET /api/requests', {
    summary: 'List requests',
    description:
      'Lists them newest first. Those of one status or kind are looked for among 2,000 requests at a time, so an answer may have few or none ' +
      'although there are more: continue with `next_before` while `has_more` is true.',
    query: RequestListQuery,
    response: Type.Object({
      requests: Type.Array(RequestLine),
      has_more: Type.Boolean(),
      next_before: Nullable(
        Type.String({ description: 'The `before` of the next request; null after the last one.' }),
      ),
    }),
  }),
  show: endpoint('GET /api/requests/:id', {
    summary: 'Show the status of a request',
    response: StatusEnvelope,
  }),
};
