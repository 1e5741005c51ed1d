import type { HolidayPlace } from '../calendars/country-holidays.ts';
import { saveFileHolidays } from '../calendars/file-holidays.ts';
import type { Tx } from '../db/database.ts';
import { upsertSchedule } from '../planning/actions.ts';
import type { ScheduleDefinition } from '../schedules/definition.ts';
import type { Change } from './change.ts';
import { fileHolidays } from './file/contents.ts';
import type { OperatorFile } from './file/shape.ts';
import type { State } from './state.ts';

/**
 * Saves the schedules of the file. `teams`: the ids of all teams by slug, including new ones. `places`: the places whose
 * holidays schedules follow, by name of the schedule.
 */
export async function saveSchedules(
  tx: Tx,
  at: Temporal.Instant,
  { schedules = [] }: OperatorFile,
  state: State,
  {
    definitions,
    teams,
    places,
  }: {
    definitions: Map<string, ScheduleDefinition>;
    teams: ReadonlyMap<string, string>;
    places: ReadonlyMap<string, HolidayPlace>;
  },
): Promise<Change[]> {
  const changes: Change[] = [];
  const organizationId = state.organization.id;
  for (const { name, team, holidays } of schedules) {
    const isNew = !state.schedules.has(name);
    const definition = definitions.get(name);
    if (!definition) throw new Error(`schedule ${name} was not checked before it was saved`);
    const teamId = (team !== undefined && teams.get(team)) || definition.teamId;
    const saved = await upsertSchedule(tx, at, organizationId, { ...definition, teamId });
    const days = holidays
      ? await saveFileHolidays(tx, at, organizationId, saved.id, fileHolidays(holidays, places.get(name)))
      : [];
    const details = [...saved.changes, ...days];
    if (isNew || details.length > 0)
      changes.push({ action: isNew ? 'add' : 'change', kind: 'schedule', id: saved.id, name, details });
  }
  return changes;
}
