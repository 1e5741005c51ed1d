import { type Static, Type } from 'typebox';
import { EMAIL } from '../kit/published-contract.ts';
import type { ChannelName, MethodType } from '../notifications/channels/contract.ts';
import type { Urgency } from '../pages/urgency-contract.ts';

export {
  CHANNELS,
  ChannelName,
  METHOD_TYPES,
  MethodType,
} from '../notifications/channels/contract.ts';
export { URGENCIES, Urgency } from '../pages/urgency-contract.ts';

/** The fixed words of this room's API. The only file of the room that the dashboard may import. */

export const ROLES = ['owner', 'admin', 'member'] as const;
export const Role = Type.Enum(ROLES, { type: 'string' });
export type Role = Static<typeof Role>;

/** One rule of a person: these channels, this long after the person's turn began. */
export type Rule = {
  urgency: Urgency;
  /** Order among the rules of one urgency, from 0. */
  position: number;
  afterMs: number;
  channels: ChannelName[];
};

/** The properties of a contact method that rules use. */
export type Method = {
  id: string;
  type: MethodType;
  value: string;
  verified: boolean;
  /** The person's own order. */
  position: number;
};

/** A person, as others see them. */
export const Person = Type.Object({ id: Type.String(), name: Type.String(), email: Type.String(EMAIL) });
export type Person = Static<typeof Person>;
