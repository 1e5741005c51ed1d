import { type Static, Type } from 'typebox';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import type { Person } from './contract.ts';

/** The organization's own settings, and what was changed by whom. */

export const OrganizationBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE })),
    time_zone: Type.Optional(Type.String({ format: 'time-zone' })),
  },
  { minProperties: 1 },
);
export type OrganizationBody = Static<typeof OrganizationBody>;

export type OrganizationSettings = {
  id: string;
  name: string;
  time_zone: string;
  created_at: string;
  may_change: boolean;
};

export const AuditQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,18}$', description: 'Number of the last entry of the former answer.' }),
  ),
  action: Type.Optional(
    Type.String({ maxLength: 100, description: 'how the action begins: "team", "webhook."' }),
  ),
  user: Type.Optional(Type.String({ maxLength: 100, description: 'id of who did it' })),
});
export type AuditQuery = Static<typeof AuditQuery>;

export type AuditLine = {
  id: number;
  at: string;
  /** Null: the operator, on the command line. */
  by: Person | null;
  action: string;
  subject: string;
  data: Record<string, unknown>;
};
export type AuditLog = { entries: AuditLine[]; has_more: boolean };
