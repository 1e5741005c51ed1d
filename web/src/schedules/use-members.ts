import { useQuery } from '@tanstack/react-query';
import type { Person } from '../../../src/people/contract.ts';
import { peopleQuery } from '../api/queries.ts';
import { membersOf, type ScheduleForm } from './schedule-form-state.ts';

/** The people in the stages and layers of the form, each once. */
export function useMembers(form: ScheduleForm): Person[] {
  const people = useQuery(peopleQuery).data?.people ?? [];
  return membersOf(form).flatMap((id) => people.find((person) => person.id === id) ?? []);
}
