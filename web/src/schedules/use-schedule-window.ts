import { useNavigate, useSearch } from '@tanstack/react-router';
import { viewerZone, type Zone, zoneOf } from '../kit/zones.ts';
import type { Span } from './queries.ts';
import type { ScheduleSearch } from './search.ts';
import { stepFrom, type View, windowOf } from './window.ts';

export type ScheduleWindow = {
  view: View;
  zone: Zone;
  /** A time within the window. */
  at: number;
  span: Span;
  byPerson: boolean;
  /** The shift whose details are open. */
  shift: string | undefined;
  /** Changes the search parameters; null resets one. */
  look(change: { [Key in keyof ScheduleSearch]?: ScheduleSearch[Key] | null }): void;
  step(direction: 1 | -1): void;
};

/** The visible window of a schedule, read from the URL. */
export function useScheduleWindow(scheduleZone: string, now: number): ScheduleWindow {
  const search = useSearch({ from: '/schedules/$id' });
  const navigate = useNavigate({ from: '/schedules/$id' });
  const view = search.view ?? 'weeks';
  const zone = search.zone === 'schedule' ? zoneOf(scheduleZone) : viewerZone();
  const at = zone.ofDate(search.at) ?? now;
  const look: ScheduleWindow['look'] = (change) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(
            ([, value]) => value !== null && value !== undefined,
          ),
        ) as ScheduleSearch,
      replace: true,
      resetScroll: false,
    });
  return {
    ...{ view, zone, at, byPerson: search.by === 'person', shift: search.shift },
    span: windowOf(view, at, zone),
    look,
    step: (direction) => look({ at: zone.date(stepFrom(view, at, direction, zone)) }),
  };
}
