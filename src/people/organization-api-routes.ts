import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { readQueryNumbers } from '../kit/query-numbers.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { recordAudit } from './audit-store.ts';
import {
  type AuditLog,
  AuditQuery,
  OrganizationBody,
  type OrganizationSettings,
} from './organization-api-contract.ts';
import { findOrganization, listAudit, type OrganizationRow } from './organization-store.ts';
import { may } from './rights.ts';
import { updateOrganization } from './store.ts';

/** The organization's settings and its audit log. */
export function organizationApiRoutes(
  api: FastifyInstance,
  { db, clock }: { db: Database; clock: Clock },
): void {
  api.get('/organization', { schema: { hide: true } }, async (request): Promise<OrganizationSettings> => {
    const viewer = viewerOf(request);
    return present(await findOrganization(db, viewer.organizationId, false), viewer);
  });

  api.patch(
    '/organization',
    { schema: { hide: true, body: OrganizationBody } },
    async (request): Promise<OrganizationSettings> => {
      const viewer = viewerOf(request);
      if (!may(viewer, 'organization.change'))
        throw new Fault('forbidden', [
          { field: 'organization', message: 'is changed by owners and admins; ask one of them' },
        ]);
      const { name, time_zone } = request.body as OrganizationBody;
      const changed = await db.transaction().execute(async (tx) => {
        const at = await clock.now(tx);
        const before = await findOrganization(tx, viewer.organizationId, true);
        const after = {
          ...before,
          name: name?.trim() ?? before.name,
          timeZone: time_zone ?? before.timeZone,
        };
        await updateOrganization(tx, at, after);
        const data = {
          before: { name: before.name, time_zone: before.timeZone },
          after: { name: after.name, time_zone: after.timeZone },
        };
        await recordAudit(tx, at, viewer.organizationId, viewer.userId, [
          { action: 'organization.changed', subject: viewer.organizationId, data },
        ]);
        return after;
      });
      return present(changed, viewer);
    },
  );

  api.get(
    '/audit',
    { schema: { hide: true, querystring: AuditQuery }, preValidation: readQueryNumbers },
    async (request): Promise<AuditLog> => {
      const viewer = viewerOf(request);
      if (!may(viewer, 'audit.read'))
        throw new Fault('forbidden', [
          { field: 'audit', message: 'is read by owners and admins; ask one of them' },
        ]);
      const { limit, ...which } = request.query as AuditQuery;
      const entries = await listAudit(db, viewer.organizationId, { ...which, limit: limit + 1 });
      return { entries: entries.slice(0, limit), has_more: entries.length > limit };
    },
  );
}

function present({ id, name, timeZone, createdAt }: OrganizationRow, viewer: Viewer): OrganizationSettings {
  return {
    ...{ id, name },
    time_zone: timeZone,
    created_at: instantText(createdAt),
    may_change: may(viewer, 'organization.change'),
  };
}
