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
  /** Why no moment was recorded. */
  reason: string | null;
  /** How many times it was processed; a retry starts from zero. */
  attempts: number;
  received_at: string;
  processed_at: string | null;
  /** The request whose id the sender received; null when the call was refused. */
  request_id: string | null;
  /** Size of the body in bytes. */
  bytes: number;
  /** How many moments it created or changed. */
  moments: number;
  /** The call failed, its sender was authenticated, and the viewer is a member of the team. */
  may_retry: boolean;
};

export type CallList = { notifications: CallShown[]; has_more: boolean };

export type CallDetail = Omit<CallShown, 'moments'> & {
  /** As received, without credentials. */
  headers: Record<string, string>;
  /**
   * As received: text if it is valid UTF-8, otherwise base64. If not `whole`, only the beginning, or nothing, was
   * stored.
   */
  body: { encoding: 'utf-8' | 'base64'; content: string; whole: boolean };
  moments: { id: string; name: string; type: MomentType; state: MomentState }[];
};

/** How many calls are queued, failed or were ignored; counting stops at ten thousand. */
export type CallCounts = { queued: number; error: number; ignored: number };
