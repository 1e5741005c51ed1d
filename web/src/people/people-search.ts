export const SHOWN = ['all', 'on-call', 'unreachable', 'disabled'] as const;
export type Shown = (typeof SHOWN)[number];

/** Search parameters of the list of people. */
export type PeopleSearch = { show?: Exclude<Shown, 'all'>; find?: string };

export function peopleSearch(search: Record<string, unknown>): PeopleSearch {
  const show = SHOWN.find((one) => one === search.show && one !== 'all');
  return {
    ...(show && show !== 'all' ? { show } : {}),
    ...(typeof search.find === 'string' && search.find !== '' ? { find: search.find } : {}),
  };
}
