import { type Static, Type } from 'typebox';
import type { MomentState, MomentType } from '../moments/contract.ts';

/** What the dashboard reads about received calls. Times are ISO 8601 in UTC. */

export const CALL_STATES = ['queued', 'success', 'error', 'ignored'] as const;
export type CallState = (typeof CALL_STATES)[number];

export const CallListQuery = Type.Object({
  webhook: Type.Optional(Type.String({ maxLength: 100, description: 'Only those of this webhook.' })),
  state: Type.Optional(Type.Enum(CALL_STATES, { type: 'string' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 100, description: 'Id of the last call of the former answer.' }),
  ),
});
export type CallListQuery = Static<typeof CallListQuery>;

export type CallShown = {
  id: string;
  webhook: { id: string; name: string; type: string; team: string };
  /** `api`, `custom` or the name of an integration. */
  integration: string;
  state: CallState;
  /** Why nothing was recorded. */
  reason: string | null;
  /** Times that it was worked on; a retry counts anew. */
  attempts: number;
  received_at: string;
  processed_at: string | null;
  /** The request that its sender was told of; none when the call was refused. */
  request_id: string | null;
  /** Size of the body in bytes. */
  bytes: number;
  /** How many moments it is about. */
  moments: number;
  /** It failed, its sender was who it should be, and the viewer is of the team. */
  may_retry: boolean;
};

export type CallList = { notifications: CallShown[]; has_more: boolean };

export type CallDetail = Omit<CallShown, 'moments'> & {
  /** As they came, without secrets. */
  headers: Record<string, string>;
  /** As it came: text where it is UTF-8, else base64. Not `whole`: the beginning, or nothing, is kept of it. */
  body: { encoding: 'utf-8' | 'base64'; content: string; whole: boolean };
  moments: { id: string; name: string; type: MomentType; state: MomentState }[];
};

/** How many wait to be read, failed, or were ignored; ten thousand stands for that and more. */
export type CallCounts = { queued: number; error: number; ignored: number };
