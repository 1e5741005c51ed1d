import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { HolidayDay } from './api-contract.ts';
import type { HolidayPlace } from './country-holidays.ts';
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

/** A country or an address to follow from now on, or the days; with none of them, the existing list stays. */
export type FileHolidays = {
  place: HolidayPlace | undefined;
  url: string | undefined;
  days: readonly HolidayDay[] | undefined;
};

/** Brings the list of holidays of a schedule in line with the operator's file. Returns the changes, a sentence each. */
export async function saveFileHolidays(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  scheduleId: string,
  { place, url, days }: FileHolidays,
): Promise<string[]> {
  if (!place && url === undefined && days === undefined) return [];
  const before = await findNamedCalendar(tx, scheduleId, NAME);
  if (!place && url === undefined && days?.length === 0) {
    if (before) await deleteHolidayCalendar(tx, before.id);
    return before ? ['holidays: the list of the file is removed'] : [];
  }
  const id = before?.id ?? newId('holiday_calendar');
  const from = { url: url ?? null, country: place?.country ?? null, region: place?.region ?? null };
  const isSame = before?.url === from.url && before.country === from.country && before.region === from.region;
  if (!before)
    await insertHolidayCalendar(tx, at, {
      ...{ id, organization_id: organizationId, schedule_id: scheduleId, created_by: null },
      ...{ name: NAME, ...from },
    });
  else if (!isSame) await updateHolidayCalendar(tx, at, id, { ...from, next_check_at: null });
  const followed = place ? `are those of ${placeCode(place)}` : url && `are read from ${new URL(url).host}`;
  if (followed) {
    if (isSame) return [];
    await askToRead(tx, at, id);
    return [`holidays: ${followed}`];
  }
  return (await saveDays(tx, id, days ?? [], null))
    ? [`holidays: ${days?.length} in the list of the file`]
    : [];
}

/** As in ISO 3166-2: DE, or DE-BY. */
function placeCode({ country, region }: HolidayPlace): string {
  return region === null ? country : `${country}-${region}`;
}
