import type { Handle } from '../db/database.ts';
import type { LayerDefinition } from './definition.ts';
import { storedPattern, type Version } from './pattern.ts';

/** Patterns and time zones of a schedule's stages and layers. */
export type Timetables = {
  timeZone: string;
  holidayUse: 'weight' | 'uncovered';
  stages: { stage: number; layers: { versions: Version[]; timeZone: string }[] }[];
};

export async function findTimetables(
  db: Handle,
  organizationId: string,
  id: string,
): Promise<Timetables | null> {
  const schedule = await db
    .selectFrom('schedules')
    .select(['time_zone', 'pattern', 'holiday_use'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!schedule) return null;
  const stages = await db
    .selectFrom('schedule_stages')
    .select(['stage', 'layers'])
    .where('schedule_id', '=', id)
    .orderBy('stage')
    .execute();
  const own = { versions: storedPattern(schedule.pattern).versions, timeZone: schedule.time_zone };
  return {
    timeZone: schedule.time_zone,
    holidayUse: schedule.holiday_use,
    stages: stages.map(({ stage, layers }) => ({
      stage,
      layers: (layers as LayerDefinition[] | null)?.map(({ pattern, timeZone }) => ({
        versions: pattern ? storedPattern(pattern).versions : own.versions,
        timeZone: timeZone ?? own.timeZone,
      })) ?? [own],
    })),
  };
}
