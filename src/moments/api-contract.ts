import { type Static, Type } from 'typebox';
import type { Person } from '../people/contract.ts';
import {
  MOMENT_STATES,
  MOMENT_TYPES,
  type MomentState,
  type MomentType,
  PRIORITIES,
  type Priority,
} from './contract.ts';

/** What the dashboard reads and sends about moments. Times are ISO 8601 in UTC. */

export const MomentListQuery = Type.Object({
  text: Type.Optional(
    Type.String({ maxLength: 500, format: 'optional-text', description: 'Words, or beginnings of words.' }),
  ),
  type: Type.Optional(Type.Array(Type.Enum(MOMENT_TYPES, { type: 'string' }), { maxItems: 10 })),
  priority: Type.Optional(Type.Array(Type.Enum(PRIORITIES, { type: 'string' }), { maxItems: 10 })),
  state: Type.Optional(Type.Array(Type.Enum(MOMENT_STATES, { type: 'string' }), { maxItems: 10 })),
  team: Type.Optional(Type.String({ maxLength: 200, format: 'text', description: "The team's slug or id." })),
  source: Type.Optional(
    Type.String({ maxLength: 1_000, format: 'text', description: 'The whole source, in any case.' }),
  ),
  webhook: Type.Optional(Type.String({ maxLength: 100 })),
  from: Type.Optional(Type.String({ format: 'instant', description: 'Occurred then or later.' })),
  to: Type.Optional(Type.String({ format: 'instant', description: 'Occurred before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 100, description: 'Id of the last moment of the former answer.' }),
  ),
});
export type MomentListQuery = Static<typeof MomentListQuery>;

export const MomentCommentBody = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 10_000, format: 'text' }),
});
export const MomentPageBody = Type.Object({
  page: Type.String({ minLength: 1, maxLength: 100, description: 'Id of a page.' }),
});

export type MomentSummary = {
  id: string;
  name: string;
  type: MomentType;
  priority: Priority;
  state: MomentState;
  source: string | null;
  source_url: string | null;
  team: { id: string; name: string; slug: string };
  webhook: { id: string; name: string; type: string } | null;
  occurred_at: string;
  created_at: string;
  updated_at: string;
  acknowledged_at: string | null;
  /** Null where the sender said so, or nobody did. */
  acknowledged_by: Person | null;
  /** The person whom the sender named when it acknowledged, and what that person wrote; plain texts. */
  acknowledged_as: string | null;
  acknowledged_comment: string | null;
  resolved_at: string | null;
  resolved_by: Person | null;
  /** The viewer may acknowledge, resolve, reopen, comment and link. */
  may_act: boolean;
};

export type MomentList = { moments: MomentSummary[]; has_more: boolean };

export type MomentDetail = {
  moment: MomentSummary & { description: string | null };
  /** Calls that were about it, newest first, the newest hundred; those that were forgotten are missing. */
  notifications: {
    id: string;
    state: string;
    integration: string;
    received_at: string;
    request_id: string | null;
  }[];
  comments: { id: number; at: string; by: Person | null; text: string }[];
  /** Times at which a person said that it was not over; `resolved_by` is null where its sender had said so. */
  reopenings: {
    id: number;
    at: string;
    by: Person | null;
    resolved_at: string;
    resolved_by: Person | null;
  }[];
  /** The same thing, reported again since; the newest of them. */
  newer: { id: string; name: string; state: MomentState; created_at: string } | null;
  pages: {
    id: string;
    title: string;
    state: string;
    urgency: string;
    created_at: string;
    linked_at: string;
    linked_by: Person | null;
  }[];
};

/** What an action did, and the moment as it is now. */
export type MomentAnswer = { changed: boolean; message: string; moment: MomentSummary };
