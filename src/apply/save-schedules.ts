import type { HolidayPlace } from '../calendars/country-holidays.ts';
import { saveFileHolidays } from '../calendars/file-holidays.ts';
import type { Tx } from '../db/database.ts';
import { upsertSchedule } from '../planning/actions.ts';
import type { ScheduleDefinition, StageDefinition } from '../schedules/definition.ts';
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
  const ids = new Map(state.linked.map(({ name, id }) => [name, id]));
  // A stage is linked to a schedule that has been saved.
  const isLinked = ({ name }: { name: string }) =>
    definitions.get(name)?.stages.some(({ linkedTo }) => linkedTo);
  const inOrder = [...schedules.filter((one) => !isLinked(one)), ...schedules.filter(isLinked)];
  /** New schedules that are linked to each other: those with a link to one that was saved later. */
  const again = new Set<string>();
  const save = async (name: string, team: string | undefined) => {
    const definition = definitions.get(name);
    if (!definition) throw new Error(`schedule ${name} was not checked before it was saved`);
    const teamId = (team !== undefined && teams.get(team)) || definition.teamId;
    const stages = definition.stages.map((stage) => linkedById(stage, ids));
    if (stages.some(({ linkedTo }, index) => !linkedTo && definition.stages[index]?.linkedTo))
      again.add(name);
    return upsertSchedule(tx, at, organizationId, { ...definition, teamId, stages });
  };
  for (const { name, team, holidays } of inOrder) {
    const isNew = !state.schedules.has(name);
    const saved = await save(name, team);
    ids.set(name, saved.id);
    const days = holidays
      ? await saveFileHolidays(tx, at, organizationId, saved.id, fileHolidays(holidays, places.get(name)))
      : [];
    const details = [...saved.changes, ...days];
    if (isNew || details.length > 0)
      changes.push({ action: isNew ? 'add' : 'change', kind: 'schedule', id: saved.id, name, details });
  }
  for (const { name, team } of inOrder.filter((one) => again.has(one.name))) {
    const { changes: links } = await save(name, team);
    changes.find((change) => change.name === name)?.details.push(...links);
  }
  return changes;
}

/** A stage whose link has the id of the schedule, not its name; without the link if that schedule is not saved yet. */
function linkedById(stage: StageDefinition, ids: ReadonlyMap<string, string>): StageDefinition {
  const { linkedTo, ...own } = stage;
  if (!linkedTo) return own;
  const scheduleId = ids.get(linkedTo.scheduleId) ?? linkedTo.scheduleId;
  return [...ids.values()].includes(scheduleId) ? { ...own, linkedTo: { ...linkedTo, scheduleId } } : own;
}
