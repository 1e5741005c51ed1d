/** The person and the month that the calendar shows. */
export type AvailabilitySearch = { person?: string | undefined; at?: string | undefined };

export function availabilitySearch({ person, at }: Record<string, unknown>): AvailabilitySearch {
  return {
    ...(typeof person === 'string' && person.startsWith('organization_user_') ? { person } : {}),
    ...(typeof at === 'string' && /^\d{4}-\d\d-\d\d$/.test(at) ? { at } : {}),
  };
}

/** The team, and the first day that is shown. */
export type TeamSearch = { team?: string | undefined; at?: string | undefined };

export function teamSearch({ team, at }: Record<string, unknown>): TeamSearch {
  return {
    ...(typeof team === 'string' ? { team } : {}),
    ...(typeof at === 'string' && /^\d{4}-\d\d-\d\d$/.test(at) ? { at } : {}),
  };
}
