import { isOutcomeUnknown } from '../db/away.ts';
import { inOneStatement, type WriteRequests } from '../requests/accept.ts';
import type { Acceptance } from '../requests/acceptance.ts';
import { runFirstSteps, type StepServices } from './steps.ts';
import { insertPagesTail } from './store.ts';
import type { PagedTeam } from './team-escalation.ts';

export type PageWriting = StepServices & {
  /** There are steps to run. */
  wake(): void;
  /** Whether this process can run the first steps of pages while it accepts them; left out if it never does. */
  mayRunSteps?(): boolean;
};

/** More pages or teams would hold up the answers to the others; the workers take such pages in turn. */
export const MOST_PAGES = 100;
export const MOST_TEAMS = 4;

/**
 * Writes requests that raise a page each. If this process works on pages and is not behind, it also runs their first steps in
 * the same transaction, so that a page leaves right after its commit. Whatever prevents that, such as a damaged schedule or a
 * lock, prevents no acceptance: the pages are written alone, and workers run their steps.
 */
export function writePages(services: PageWriting): WriteRequests {
  const { clock, log, wake, mayRunSteps = () => false } = services;
  const alone = inOneStatement(clock, (again) => insertPagesTail(clock, again));

  return async (handle, items, again) => {
    const teams = teamsOf(items);
    const few = items.length <= MOST_PAGES && teams.length <= MOST_TEAMS;
    // A page that is paged again may go to the people to whom the former one was reassigned.
    const areNew = items.every(({ row }) => !row.again_of);
    if (few && areNew && !again && !handle.isTransaction && mayRunSteps()) {
      try {
        const run = await runFirstSteps(services, handle, items, teams[0] ?? null);
        run?.send();
        if (run?.followedAtOnce) wake();
        if (run) return run.written;
      } catch (error) {
        if (isOutcomeUnknown(error)) throw error;
        log.warn({ err: error }, 'pages were not sent as they were accepted; a worker will send them');
      }
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
