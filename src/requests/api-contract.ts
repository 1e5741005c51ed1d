import { type Static, Type } from 'typebox';
import { REQUEST_KINDS, REQUEST_STATUSES, type RequestKind, type RequestStatus } from './contract.ts';

/** What the dashboard reads about requests. Times are ISO 8601 in UTC. */

export const RequestListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 100, description: 'Id of the last request of the former answer.' }),
  ),
  status: Type.Optional(Type.Enum([...REQUEST_STATUSES], { type: 'string' })),
  kind: Type.Optional(Type.Enum([...REQUEST_KINDS], { type: 'string' })),
});
export type RequestListQuery = Static<typeof RequestListQuery>;

export type RequestLine = {
  id: string;
  kind: RequestKind;
  status: RequestStatus;
  message: string;
  attempts: number;
  created_at: string;
  finished_at: string | null;
};
export type RequestList = { requests: RequestLine[]; has_more: boolean };
