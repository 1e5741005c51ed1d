import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';
import { MomentState, MomentType, Priority } from './contract.ts';

/** What the dashboard reads and sends about moments. Times are ISO 8601 in UTC. */

export const MomentListQuery = Type.Object({
  text: Type.Optional(
    Type.String({
      maxLength: 500,
      format: 'optional-text',
      description: 'Words of the moment, or beginnings of words.',
    }),
  ),
  type: Type.Optional(Type.Array(MomentType, { maxItems: 10 })),
  priority: Type.Optional(Type.Array(Priority, { maxItems: 10 })),
  state: Type.Optional(Type.Array(MomentState, { maxItems: 10 })),
  team: Type.Optional(
    Type.String({ maxLength: 200, format: 'text', description: 'The slug or ID of the team.' }),
  ),
  source: Type.Optional(
    Type.String({
      maxLength: 1_000,
      format: 'text',
      description: 'The name of the source, in upper or lower case.',
    }),
  ),
  webhook: Type.Optional(Type.String({ maxLength: 100 })),
  person: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The ID of a person, to list only moments that this person acknowledged or resolved.',
    }),
  ),
  from: Type.Optional(
    Type.String({
      format: 'instant',
      description:
        'Only moments that occurred at this time or later. With from or to, the list has the order in which they occurred, newest first.',
    }),
  ),
  to: Type.Optional(
    Type.String({ format: 'instant', description: 'Only moments that occurred before this time.' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 100, description: 'The ID of the last moment in the previous answer.' }),
  ),
});
export type MomentListQuery = Static<typeof MomentListQuery>;

export const MomentCommentBody = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 10_000, format: 'text' }),
});
export const MomentPageBody = Type.Object({
  page: Type.String({ minLength: 1, maxLength: 100, format: 'text', description: 'The ID of a page.' }),
});

export const MomentSummary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: MomentType,
  priority: Priority,
  state: MomentState,
  source: Type.Union([Type.String(), Type.Null()]),
  source_url: Type.Union([Type.String(), Type.Null()]),
  team: Type.Object({
    id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
  }),
  webhook: Type.Union([
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: Type.String(),
    }),
    Type.Null(),
  ]),
  occurred_at: Type.String(TIME),
  created_at: Type.String(TIME),
  updated_at: Type.String(TIME),
  acknowledged_at: Type.Union([Type.String(TIME), Type.Null()]),
  acknowledged_by: Type.Union([Person, Type.Null()], {
    description: 'The person who acknowledged it; null if its sender or nobody did.',
  }),
  acknowledged_as: Type.Union([Type.String(), Type.Null()], {
    description:
      'The person whom the sender named when it acknowledged, and what that person wrote, as plain texts.',
  }),
  acknowledged_comment: Type.Union([Type.String(), Type.Null()]),
  resolved_at: Type.Union([Type.String(TIME), Type.Null()]),
  resolved_by: Type.Union([Person, Type.Null()]),
  may_act: Type.Boolean({
    description: 'Whether the viewer may acknowledge, resolve, reopen, comment and link.',
  }),
  may_silence: Type.Boolean({
    description: 'Whether a page source recorded it and the viewer may silence its alert.',
  }),
});
export type MomentSummary = Static<typeof MomentSummary>;

export const MomentList = Type.Object({
  moments: Type.Array(MomentSummary),
  has_more: Type.Boolean(),
});
export type MomentList = Static<typeof MomentList>;

export const MomentDetail = Type.Object({
  moment: Type.Object({
    ...MomentSummary.properties,
    description: Type.Union([Type.String(), Type.Null()]),
  }),
  notifications: Type.Array(
    Type.Object({
      id: Type.String(),
      state: Type.String(),
      integration: Type.String(),
      received_at: Type.String(TIME),
      request_id: Type.Union([Type.String(), Type.Null()]),
    }),
    {
      description: 'The newest 100 calls about it that have not been deleted, newest first.',
    },
  ),
  comments: Type.Array(
    Type.Object({
      id: Type.Integer(),
      at: Type.String(TIME),
      by: Type.Union([Person, Type.Null()]),
      text: Type.String(),
    }),
  ),
  reopenings: Type.Array(
    Type.Object({
      id: Type.Integer(),
      at: Type.String(TIME),
      by: Type.Union([Person, Type.Null()]),
      resolved_at: Type.String(TIME),
      resolved_by: Type.Union([Person, Type.Null()]),
    }),
    {
      description:
        'The times at which people reopened it; `resolved_by` is null if its sender had resolved it.',
    },
  ),
  newer: Type.Union(
    [
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        state: MomentState,
        created_at: Type.String(TIME),
      }),
      Type.Null(),
    ],
    { description: 'The newest moment about the same thing that was reported since; null if there is none.' },
  ),
  pages: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      state: Type.String(),
      urgency: Type.String(),
      created_at: Type.String(TIME),
      linked_at: Type.String(TIME),
      linked_by: Type.Union([Person, Type.Null()]),
    }),
  ),
});
export type MomentDetail = Static<typeof MomentDetail>;

/** What an action did, and the moment after it. */
export const MomentAnswer = Type.Object({
  changed: Type.Boolean(),
  message: Type.String(),
  moment: MomentSummary,
});
export type MomentAnswer = Static<typeof MomentAnswer>;

export const momentsApi = {
  list: endpoint('GET /api/moments', {
    summary: 'Search moments',
    query: MomentListQuery,
    response: MomentList,
  }),
  find: endpoint('GET /api/moments/:id', {
    summary: 'Show a moment with all that happened',
    response: MomentDetail,
  }),
  acknowledge: endpoint('POST /api/moments/:id/acknowledge', {
    summary: 'Acknowledge a moment',
    response: MomentAnswer,
  }),
  resolve: endpoint('POST /api/moments/:id/resolve', { summary: 'Resolve a moment', response: MomentAnswer }),
  reopen: endpoint('POST /api/moments/:id/reopen', { summary: 'Reopen a moment', response: MomentAnswer }),
  comment: endpoint('POST /api/moments/:id/comments', {
    summary: 'Comment on a moment',
    body: MomentCommentBody,
    response: MomentAnswer,
  }),
  linkPage: endpoint('POST /api/moments/:id/pages', {
    summary: 'Link a moment to a page',
    body: MomentPageBody,
    response: MomentAnswer,
  }),
  unlinkPage: endpoint('DELETE /api/moments/:id/pages/:page', {
    summary: 'Unlink a moment from a page',
    response: MomentAnswer,
  }),
};
