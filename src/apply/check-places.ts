import { type HolidayPlace, listCountries, readPlace } from '../calendars/country-holidays.ts';
import type { FileDocument } from './file/document.ts';
import type { OperatorFile } from './file/shape.ts';

/** Reports unknown countries and regions. Returns the places whose holidays schedules follow, by name of the schedule. */
export async function checkPlaces(
  document: FileDocument,
  { schedules = [] }: OperatorFile,
): Promise<Map<string, HolidayPlace>> {
  const places = new Map<string, HolidayPlace>();
  for (const { name, holidays } of schedules) {
    if (holidays?.country === undefined) continue;
    const { country, region } = holidays;
    const read = readPlace(await listCountries(), { country, region });
    if ('problem' in read)
      document.report(document.pathOf(holidays, read.problem.field), read.problem.message);
    else places.set(name, read.place);
  }
  return places;
}
