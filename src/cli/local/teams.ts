import { didYouMean } from '../../apply/file/near.ts';
import type { Handle } from '../../db/database.ts';
import { listOrganizations, type Organization } from '../../people/store.ts';
import { findTeamBySlug, listTeams } from '../../people/team-store.ts';
import { Refusal } from '../refusal.ts';
import { hasName, severalOrganizations } from './people.ts';

/** The team with this slug. `organizationName` is needed if several organizations have one. */
export async function findTeam(
  db: Handle,
  slug: string,
  organizationName: string | null,
): Promise<{ organization: Organization; teamId: string }> {
  const found: { organization: Organization; teamId: string }[] = [];
  const slugs: string[] = [];
  for (const organization of await listOrganizations(db)) {
    if (!hasName(organization, organizationName)) continue;
    const team = await findTeamBySlug(db, organization.id, slug);
    if (team) found.push({ organization, teamId: team.id });
    else slugs.push(...(await listTeams(db, organization.id)).map((other) => other.slug));
  }
  const [only] = found;
  if (found.length > 1)
    throw severalOrganizations(
      `The team ${slug} is in`,
      found.map(({ organization }) => organization),
    );
  if (only) return only;
  const hint = didYouMean(slug, slugs) || `; there are ${slugs.join(', ') || 'none yet'}`;
  throw new Refusal(`There is no team ${JSON.stringify(slug)}${hint}`);
}
