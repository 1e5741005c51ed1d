/** What of a schedule is looked at; kept in the address, so that it can be sent to somebody. */
export type ScheduleSearch = {
  /** Eight weeks where nothing is said. */
  view?: 'day' | 'week' | 'month';
  /** A local date in the window; today where nothing is said. */
  at?: string;
  /** Times in the schedule's zone instead of the viewer's. */
  zone?: 'schedule';
  /** A line for each person instead of each stage. */
  by?: 'person';
  /** The shift that is open. */
  shift?: string;
};

export function scheduleSearch(search: Record<string, unknown>): ScheduleSearch {
  const { view, at, zone, by, shift } = search;
  return {
    ...(view === 'day' || view === 'week' || view === 'month' ? { view } : {}),
    ...(typeof at === 'string' && /^\d{4}-\d\d-\d\d$/.test(at) ? { at } : {}),
    ...(zone === 'schedule' ? { zone } : {}),
    ...(by === 'person' ? { by } : {}),
    ...(typeof shift === 'string' && shift.startsWith('shift_') ? { shift } : {}),
  };
}
