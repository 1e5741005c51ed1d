import { type Static, Type } from 'typebox';
import { URGENCIES } from './urgency-names-contract.ts';

export { URGENCIES };
export const Urgency = Type.Enum(URGENCIES, { type: 'string' });
export type Urgency = Static<typeof Urgency>;
