import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { HolidayDay } from './api-contract.ts';
import {
  askToRead,
  deleteHolidayCalendar,
  findNamedCalendar,
  insertHolidayCalendar,
  saveDays,
  updateHolidayCalendar,
} from './holiday-calendar-store.ts';

/** The name of a schedule's list that comes from the operator's file. */
const NAME = "From the operator's file";

/** An address to read from now on, or the days; with neither, the existing list stays. */
export type FileHolidays = { url: string | undefined; days: readonly HolidayDay[] | undefined };

/** Brings the list of holidays of a schedule in line with the operator's file. Returns the changes, a sentence each. */
export async function saveFileHolidays(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  scheduleId: string,
  { url, days }: FileHolidays,
): Promise<string[]> {
  if (url === undefined && days === undefined) return [];
  const before = await findNamedCalendar(tx, scheduleId, NAME);
  if (url === undefined && days?.length === 0) {
    if (before) await deleteHolidayCalendar(tx, before.id);
    return before ? ['holidays: the list of the file is removed'] : [];
  }
  const id = before?.id ?? newId('holiday_calendar');
  const address = url ?? null;
  if (!before)
    await insertHolidayCalendar(tx, at, {
      ...{ id, organization_id: organizationId, schedule_id: scheduleId, created_by: null },
      ...{ name: NAME, url: address },
    });
  else if (before.url !== address) await updateHolidayCalendar(tx, at, id, { url: address });
  if (url !== undefined) {
    if (before?.url === url) return [];
    await askToRead(tx, at, id);
    return [`holidays: are read from ${new URL(url).host}`];
  }
  return (await saveDays(tx, id, days ?? [], null))
    ? [`holidays: ${days?.length} in the list of the file`]
    : [];
}
