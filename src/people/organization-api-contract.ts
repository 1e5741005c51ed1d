import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from './contract.ts';
import { LanguageName } from './person-contract.ts';

/** The organization's settings and its audit log. */

export const OrganizationBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE })),
    time_zone: Type.Optional(Type.String({ format: 'time-zone' })),
    language: Type.Optional(LanguageName),
  },
  { minProperties: 1 },
);
export type OrganizationBody = Static<typeof OrganizationBody>;

export const OrganizationSettings = Type.Object({
  id: Type.String(),
  name: Type.String(),
  time_zone: Type.String(),
  language: LanguageName,
  created_at: Type.String(TIME),
  may_change: Type.Boolean(),
});
export type OrganizationSettings = Static<typeof OrganizationSettings>;

export const AuditQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,18}$',
      description: 'The number of the last entry in the previous answer.',
    }),
  ),
  action: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The beginning of the action, such as `team` or `webhook.`.',
    }),
  ),
  user: Type.Optional(Type.String({ maxLength: 100, description: 'The ID of the person who did it.' })),
});
export type AuditQuery = Static<typeof AuditQuery>;

export const AuditLine = Type.Object({
  id: Type.Integer(),
  at: Type.String(TIME),
  by: Type.Union([Person, Type.Null()], {
    description: 'The person who did it; null for the operator on the command line.',
  }),
  action: Type.String(),
  subject: Type.String(),
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type AuditLine = Static<typeof AuditLine>;
const AuditLog = Type.Object({
  entries: Type.Array(AuditLine),
  has_more: Type.Boolean(),
});
export type AuditLog = Static<typeof AuditLog>;

export const organizationApi = {
  find: endpoint('GET /api/organization', {
    summary: 'Show the settings of the organization',
    response: OrganizationSettings,
  }),
  change: endpoint('PATCH /api/organization', {
    summary: 'Change the settings of the organization',
    body: OrganizationBody,
    response: OrganizationSettings,
  }),
  audit: endpoint('GET /api/audit', {
    summary: 'List what was changed, and by whom',
    query: AuditQuery,
    response: AuditLog,
  }),
};
