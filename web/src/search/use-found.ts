import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { onCallQuery, peopleQuery } from '../api/queries.ts';
import { t } from '../language/t.ts';
import { momentStateName } from '../moments/words.ts';
import { stateName } from '../pages/words.ts';
import { schedulesQuery } from '../schedules/queries.ts';
import { OWN_PLACES, PLACES } from '../shell/navigation.ts';
import { sourcesQuery } from '../sources/queries.ts';
import { findMoments, findPages } from './queries.ts';

type Actions = SpotlightActionGroupData['actions'];

/** All results in groups. The spotlight filters the local ones by the query. */
export function useFound(query: string, opened: boolean, commands: Actions): SpotlightActionGroupData[] {
  const things = useThings(opened);
  const groups: [string, Actions][] = [
    [t('Requests'), useRequests(query)],
    [t('Go to'), usePlaces()],
    [t('Commands'), commands],
    [t('Page someone'), useRecipients(opened)],
    [t('Teams'), things.teams],
    [t('Schedules'), things.schedules],
    [t('Page sources'), things.sources],
    [t('People'), things.people],
    [t('Pages'), usePages(query)],
    [t('Moments'), useMoments(query)],
  ];
  return groups.map(([group, actions]) => ({ group, actions }));
}

function useRequests(query: string): Actions {
  const navigate = useNavigate();
  const id = /\brequest_[0-9a-z]{26}\b/.exec(query)?.[0];
  if (!id) return [];
  // `keywords` is the whole query, because the id may have been pasted with other text around it.
  return [
    { id, label: id, keywords: query, onClick: () => void navigate({ to: '/requests/$id', params: { id } }) },
  ];
}

function usePlaces(): Actions {
  const navigate = useNavigate();
  return [...PLACES, ...OWN_PLACES].map(({ to, label }) => ({
    id: `go ${label}`,
    label,
    onClick: () => void navigate({ to }),
  }));
}

function useRecipients(enabled: boolean): Actions {
  const navigate = useNavigate();
  const people = useQuery({ ...peopleQuery, enabled }).data?.people ?? [];
  const teams = useQuery({ ...onCallQuery, enabled }).data?.teams ?? [];
  const page = (kind: 'team' | 'person', to: string) => () =>
    void navigate({ to: '/pages/new', search: { kind, to } });
  return [
    { id: 'page', label: t('Page someone…'), onClick: () => void navigate({ to: '/pages/new' }) },
    ...teams.map(({ id, name, slug }) => ({
      id: `page ${id}`,
      label: t('Page team {name}…', { name }),
      description: slug,
      onClick: page('team', slug),
    })),
    ...people.map(({ id, name, email }) => ({
      id: `page ${id}`,
      label: t('Page {name}…', { name }),
      description: email,
      onClick: page('person', email),
    })),
  ];
}

function useThings(enabled: boolean): Record<'teams' | 'schedules' | 'sources' | 'people', Actions> {
  const navigate = useNavigate();
  const people = useQuery({ ...peopleQuery, enabled }).data?.people ?? [];
  const teams = useQuery({ ...onCallQuery, enabled }).data?.teams ?? [];
  const schedules = useQuery({ ...schedulesQuery, enabled }).data?.schedules ?? [];
  const sources = useQuery({ ...sourcesQuery(null), enabled }).data?.sources ?? [];
  return {
    teams: teams.map(({ id, name, slug }) => ({
      id,
      label: name,
      description: slug,
      onClick: () => void navigate({ to: '/teams/$slug', params: { slug } }),
    })),
    schedules: schedules.map(({ id, name, team }) => ({
      id,
      label: name,
      description: t('schedule of {team}', { team: team.name }),
      onClick: () => void navigate({ to: '/schedules/$id', params: { id } }),
    })),
    sources: sources.map(({ id, name, team }) => ({
      id,
      label: name,
      description: t('page source of {team}', { team: team.name }),
      onClick: () => void navigate({ to: '/sources/$id', params: { id } }),
    })),
    people: people.map(({ id, name, email }) => ({
      id,
      label: name,
      description: email,
      onClick: () => void navigate({ to: '/people/$id', params: { id } }),
    })),
  };
}

// Pages and moments are found by the service, which also searches their texts, so the spotlight must not filter them.
function usePages(query: string): Actions {
  const navigate = useNavigate();
  const pages = useQuery(findPages(query)).data?.pages ?? [];
  return pages.map(({ id, title, state }) => ({
    id,
    label: title,
    description: stateName(state),
    keywords: query,
    onClick: () => void navigate({ to: '/pages/$id', params: { id } }),
  }));
}

function useMoments(query: string): Actions {
  const navigate = useNavigate();
  const moments = useQuery(findMoments(query)).data?.moments ?? [];
  return moments.map(({ id, name, state, team }) => ({
    id,
    label: name,
    description: t('{state}, {team}', { state: momentStateName(state), team: team.name }),
    keywords: query,
    onClick: () => void navigate({ to: '/moments/$id', params: { id } }),
  }));
}
