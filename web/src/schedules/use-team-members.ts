import { useQuery } from '@tanstack/react-query';
import { peopleQuery } from '../api/queries.ts';
import { teamQuery } from '../teams/queries.ts';

/** The ids of the members of a team who can take turns: people who are disabled cannot. Empty for no team. */
export function useTeamMembers(team: string | null): string[] {
  const people = useQuery(peopleQuery).data?.people ?? [];
  const ofTeam = useQuery({ ...teamQuery(team ?? ''), enabled: team !== null }).data?.people ?? [];
  return ofTeam.map(({ id }) => id).filter((id) => people.some((person) => person.id === id));
}
