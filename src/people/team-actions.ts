import type { Tx } from '../db/database.ts';
import { type Detail, Fault } from '../kit/fault.ts';
import { newId } from '../kit/typeid.ts';
import { commas, t } from '../language/contract.ts';
import { isSlug } from './slug-contract.ts';
import { activePeople } from './store.ts';
import type { NewTeamBody, TeamBelongings } from './team-api-contract.ts';
import {
  countBelongings,
  deleteTeam,
  insertTeam,
  saveTeamMember,
  slugIsTaken,
  updateTeam,
} from './team-store.ts';

/** Creates a team with its members. Faults name every problem. */
export async function createTeam(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  { name, slug, members }: NewTeamBody,
): Promise<string> {
  const problems = [...nameProblems(name), ...slugProblems(slug)];
  const known = await activePeople(
    tx,
    organizationId,
    members.map(({ user }) => user),
  );
  for (const { user } of members) if (!known.has(user)) problems.push(unknownPerson(user));
  if (problems.length > 0) throw new Fault('bad_request', problems);
  if (await slugIsTaken(tx, organizationId, slug, null)) throw slugTaken(slug);
  const id = newId('team');
  await insertTeam(tx, at, organizationId, { id, name: name.trim(), slug });
  for (const { user, role } of members)
    await saveTeamMember(tx, at, { organizationId, teamId: id, userId: user, role });
  return id;
}

/** Renames a team whose row is locked. From then on, pages to the old slug are refused. */
export async function changeTeam(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  team: { id: string; name: string; slug: string },
): Promise<void> {
  const problems = [...nameProblems(team.name), ...slugProblems(team.slug)];
  if (problems.length > 0) throw new Fault('bad_request', problems);
  if (await slugIsTaken(tx, organizationId, team.slug, team.id)) throw slugTaken(team.slug);
  await updateTeam(tx, at, organizationId, team.id, { name: team.name.trim(), slug: team.slug });
}

/** Deletes a team without pages and moments, because these are a record and would be deleted with it. */
export async function removeTeam(tx: Tx, organizationId: string, teamId: string): Promise<void> {
  const problem = belongingsProblem(await countBelongings(tx, organizationId, teamId));
  if (problem) throw new Fault('conflict', [{ field: 'team', message: problem }]);
  await deleteTeam(tx, organizationId, teamId);
}

/** Why a team cannot be deleted, and the alternative; null if it can. */
function belongingsProblem({ schedules, webhooks, sources, pages, moments }: TeamBelongings): string | null {
  const history = [
    counted(pages, () => t('{count, plural, one {# page} other {# pages}}', { count: pages })),
    counted(moments, () => t('{count, plural, one {# moment} other {# moments}}', { count: moments })),
  ].flat();
  const settings = [
    counted(schedules, () =>
      t('{count, plural, one {# schedule} other {# schedules}}', { count: schedules }),
    ),
    counted(webhooks, () => t('{count, plural, one {# webhook} other {# webhooks}}', { count: webhooks })),
    counted(sources, () =>
      t('{count, plural, one {# page source} other {# page sources}}', { count: sources }),
    ),
  ].flat();
  const all = commas([...settings, ...history]);
  if (all === '') return null;
  return history.length > 0
    ? t(
        'still has {all}, which are kept; remove its members instead, so that nobody can be paged through it',
        { all },
      )
    : t(
        'still has {all}; delete its schedules first. A team that ever had webhooks or page sources cannot be deleted',
        { all },
      );
}

function counted(count: number, text: () => string): string[] {
  return count === 0 ? [] : [text()];
}

export function nameProblems(name: string): Detail[] {
  const length = [...name.trim()].length;
  if (length >= 1 && length <= 200 && !name.includes('\u0000')) return [];
  return [{ field: 'name', message: t('is blank or too long; give a name of 1 to 200 characters') }];
}

function slugProblems(slug: string): Detail[] {
  if (isSlug(slug)) return [];
  return [
    {
      field: 'slug',
      message: t('is {slug}; give a short name of the letters a–z, digits and -, such as site-reliability', {
        slug: JSON.stringify(slug),
      }),
    },
  ];
}

export function unknownPerson(user: string): Detail {
  const message = t('is {user}, who is not an active person of your organization; see /api/people', {
    user: JSON.stringify(user),
  });
  return { field: 'user', message };
}

function slugTaken(slug: string): Fault {
  const message = t(
    'is {slug}, which another team already uses; choose another one, because pages are addressed to it',
    {
      slug,
    },
  );
  return new Fault('conflict', [{ field: 'slug', message }]);
}
