import { queryOptions, useQuery } from '@tanstack/react-query';
import { pagesApi } from '../../../src/pages/api-contract.ts';
import { send } from '../api/call.ts';
import { sessionQuery } from '../api/queries.ts';
import { overviewQuery } from '../people/queries.ts';
import { schedulesQuery } from '../schedules/queries.ts';
import { channelsQuery } from '../settings/queries.ts';
import { sourcesQuery } from '../sources/queries.ts';
import { teamsQuery } from '../teams/queries.ts';
import { webhooksQuery } from '../webhooks/queries.ts';
import { type SetUpStep, setUpSteps } from './steps.ts';

/** The latest pages, among which an acknowledged one shows that somebody answered. */
const latestPagesQuery = queryOptions({
  queryKey: ['pages', 'latest'],
  queryFn: () => send(pagesApi.list, { query: { state: 'all', limit: 50 } }),
});

/** The steps of the set-up as they stand; undefined while they are read. `error`: what could not be read. */
export function useSetUp(): {
  steps: SetUpStep[] | undefined;
  error: Error | null;
  again: () => void;
} {
  const queries = [
    useQuery(channelsQuery),
    useQuery(overviewQuery),
    useQuery(schedulesQuery),
    useQuery(webhooksQuery(null)),
    useQuery(sourcesQuery(null)),
    useQuery(teamsQuery),
    useQuery(latestPagesQuery),
  ] as const;
  const [channels, people, schedules, webhooks, sources, teams, pages] = queries;
  const session = useQuery(sessionQuery).data;
  const again = () => {
    for (const { refetch } of queries) void refetch();
  };
  const error = queries.find((query) => query.error)?.error ?? null;
  if (
    !channels.data ||
    !people.data ||
    !schedules.data ||
    !webhooks.data ||
    !sources.data ||
    !teams.data ||
    !pages.data
  )
    return { steps: undefined, error, again };
  const facts = {
    manages: session != null && session.user.role !== 'member',
    channels: channels.data.channels,
    people: people.data.people,
    schedules: schedules.data.schedules,
    ways: [...sources.data.sources, ...webhooks.data.webhooks],
    teams: teams.data.teams,
    pages: pages.data.pages,
  };
  return { steps: setUpSteps(facts), error, again };
}
