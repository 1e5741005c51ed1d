import type { Database } from '../src/db/database.ts';
import { listContactMethods } from '../src/people/contact-store.ts';
import { listUsers } from '../src/people/store.ts';
import { listTeams } from '../src/people/team-store.ts';
import { listShifts, listStages } from './example-store.ts';
import { TEAMS } from './people.ts';
import type { Member, Scene } from './rota.ts';

/** Reads the results of `apply` and of the planner. */
export async function readScene(db: Database, organizationId: string, now: Temporal.Instant): Promise<Scene> {
  const methods = await listContactMethods(db, organizationId);
  const users = await listUsers(db, organizationId);
  const teams = await listTeams(db, organizationId);
  return {
    organizationId,
    now,
    teams: TEAMS.flatMap(({ slug }) => {
      const team = teams.find((one) => one.slug === slug);
      return team ? [{ id: team.id, slug, memberIds: [...team.memberIds] }] : [];
    }),
    members: new Map(
      users.map(({ id, username, timeZone }): [string, Member] => [
        id,
        {
          userId: id,
          handle: username,
          timeZone,
          methods: methods
            .filter(({ userId }) => userId === id)
            .map(({ verifiedAt, ...method }) => ({ ...method, verified: verifiedAt !== null })),
        },
      ]),
    ),
    stages: await listStages(db, organizationId),
    shifts: await listShifts(db, organizationId),
  };
}

/** The id of the person with this handle. @throws when there is none */
export function userIdOf({ members }: Scene, handle: string): string {
  const found = [...members.values()].find((member) => member.handle === handle);
  if (!found) throw new Error(`nobody of the example is called ${handle}`);
  return found.userId;
}

export function teamIdOf({ teams }: Scene, slug: string): string {
  const found = teams.find((team) => team.slug === slug);
  if (!found) throw new Error(`no team of the example is called ${slug}`);
  return found.id;
}
