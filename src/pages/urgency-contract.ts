import { type Static, Type } from 'typebox';

/** How urgent a page is, from the least to the most urgent. */
export const URGENCIES = ['low', 'medium', 'high'] as const;
export const Urgency = Type.Enum(URGENCIES, { type: 'string' });
export type Urgency = Static<typeof Urgency>;
