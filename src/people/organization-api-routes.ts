import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { type OrganizationSettings, organizationApi } from './organization-api-contract.ts';
import { may } from './rights.ts';
import {
  findOrganization,
  listAudit,
  type OrganizationRow,
  recordAudit,
  updateOrganization,
} from './store.ts';

/** The organization's settings and its audit log. */
export function organizationApiRoutes(
  api: FastifyInstance,
  { db, clock }: { db: Database; clock: Clock },
): void {
  route(api, organizationApi.find, async (request) => {
    const viewer = viewerOf(request);
    return present(await findOrganization(db, viewer.organizationId, false), viewer);
  });

  route(api, organizationApi.change, async (request) => {
    const viewer = viewerOf(request);
    if (!may(viewer, 'organization.change'))
      throw new Fault('forbidden', [
        { field: 'organization', message: t('can only be changed by owners and admins; ask one of them') },
      ]);
    const { name, time_zone, language } = request.body;
    const changed = await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const before = await findOrganization(tx, viewer.organizationId, true);
      const after = {
        ...before,
        name: name?.trim() ?? before.name,
        timeZone: time_zone ?? before.timeZone,
        language: language ?? before.language,
      };
      await updateOrganization(tx, at, after);
      const data = {
        before: { name: before.name, time_zone: before.timeZone, language: before.language },
        after: { name: after.name, time_zone: after.timeZone, language: after.language },
      };
      await recordAudit(tx, at, viewer.organizationId, viewer.userId, [
        { action: 'organization.changed', subject: viewer.organizationId, data },
      ]);
      return after;
    });
    return present(changed, viewer);
  });

  route(api, organizationApi.audit, async (request) => {
    const viewer = viewerOf(request);
    if (!may(viewer, 'audit.read'))
      throw new Fault('forbidden', [
        { field: 'audit', message: t('can only be read by owners and admins; ask one of them') },
      ]);
    const { limit, ...which } = request.query;
    const entries = await listAudit(db, viewer.organizationId, { ...which, limit: limit + 1 });
    return { entries: entries.slice(0, limit), has_more: entries.length > limit };
  });
}

function present(
  { id, name, timeZone, language, createdAt }: OrganizationRow,
  viewer: Viewer,
): OrganizationSettings {
  return {
    ...{ id, name },
    time_zone: timeZone,
    language,
    created_at: instantText(createdAt),
    may_change: may(viewer, 'organization.change'),
  };
}
