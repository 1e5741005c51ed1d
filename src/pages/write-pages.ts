import { inOneStatement, type WriteRequests } from '../requests/accept.ts';
import type { Acceptance } from '../requests/acceptance.ts';
import { acceptWithFirstSteps, type FirstStepServices, mayRunFirstSteps } from './first-steps.ts';
import { insertPagesTail } from './store.ts';
import type { PagedTeam } from './team-escalation.ts';

export type PageWriting = FirstStepServices & {
  /** There are steps to run. */
  wake(): void;
};

/** Writes requests that raise a page each, and runs the first steps of the pages if this process can. */
export function writePages(services: PageWriting): WriteRequests {
  const { clock, wake } = services;
  const alone = inOneStatement(clock, (again) => insertPagesTail(clock, again));

  return async (handle, items, again) => {
    const teams = teamsOf(items);
    // A page that is paged again may go to the people to whom the former one was reassigned.
    const areNew = !again && items.every(({ row }) => !row.again_of);
    if (areNew && !handle.isTransaction && mayRunFirstSteps(services, items.length, teams)) {
      const run = await acceptWithFirstSteps(services, handle, items, teams[0] ?? null);
      run?.send();
      if (run?.followedAtOnce) wake();
      if (run) return run.written;
    }
    const written = await alone(handle, items, again);
    wake();
    return written;
  };
}

function teamsOf(items: readonly Acceptance[]): PagedTeam[] {
  const teams = items.flatMap(({ organizationId, row }) =>
    typeof row.team_id === 'string' ? [{ organizationId, teamId: row.team_id }] : [],
  );
  return [...new Map(teams.map((team) => [team.teamId, team])).values()];
}
