/** The settings of a schedule's view. They are kept in the URL, so the view can be shared. */
export type ScheduleSearch = {
  /** Default: eight weeks. */
  view?: 'day' | 'week' | 'month';
  /** A local date in the window. Default: today. */
  at?: string;
  /** Times in the schedule's zone instead of the viewer's. */
  zone?: 'schedule';
  /** A row for each person instead of each seat. */
  by?: 'person';
  /** The shift whose details are open. */
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
