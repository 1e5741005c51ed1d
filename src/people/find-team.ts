import type { Handle } from '../db/database.ts';
import { type Detail, Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { findTeamOfViewer, type TeamOfViewer } from './team-store.ts';

/** The team that a request names by its slug or id. @throws Fault 400 when the organization has no such team */
export async function teamOf(
  db: Handle,
  viewer: { organizationId: string; userId: string },
  slugOrId: string,
): Promise<TeamOfViewer> {
  const team = await findTeamOfViewer(db, viewer, slugOrId);
  if (!team) throw new Fault('bad_request', [unknownTeam(slugOrId)]);
  return team;
}

export function unknownTeam(slugOrId: string): Detail {
  const message = t('is {slugOrId}, which is not a team of your organization; give its slug or id', {
    slugOrId: JSON.stringify(slugOrId),
  });
  return { field: 'team', message };
}
