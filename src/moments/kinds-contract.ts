import { type Static, Type } from 'typebox';
/** The kinds of moments. */

export const MOMENT_TYPES = ['alert', 'incident', 'near-miss', 'page'] as const;
export const MomentType = Type.Enum(MOMENT_TYPES, { type: 'string' });
export type MomentType = Static<typeof MomentType>;

export const PRIORITIES = ['low', 'medium', 'high'] as const;
export const Priority = Type.Enum(PRIORITIES, { type: 'string' });
export type Priority = Static<typeof Priority>;

export const MOMENT_STATES = ['open', 'acknowledged', 'resolved'] as const;
export const MomentState = Type.Enum(MOMENT_STATES, { type: 'string' });
export type MomentState = Static<typeof MomentState>;
