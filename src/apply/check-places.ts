import { type HolidayPlace, listCountries, readPlace } from '../calendars/country-holidays.ts';
import type { FileDocument } from './file/document.ts';
import type { OperatorFile, PayTableEntry } from './file/shape.ts';

/** The places whose holidays count: by name of the schedule, and by entry of a rate table. */
export type Places = {
  schedules: ReadonlyMap<string, HolidayPlace>;
  payTables: ReadonlyMap<PayTableEntry, HolidayPlace>;
};

/** Reports unknown countries and regions. */
export async function checkPlaces(
  document: FileDocument,
  { schedules = [], pay_tables: tables = [] }: OperatorFile,
): Promise<Places> {
  const ofSchedules = new Map<string, HolidayPlace>();
  for (const { name, holidays } of schedules) {
    if (holidays?.country === undefined) continue;
    const place = await placeOf(document, holidays, { country: holidays.country, region: holidays.region });
    if (place) ofSchedules.set(name, place);
  }
  const ofTables = new Map<PayTableEntry, HolidayPlace>();
  for (const table of tables) {
    if (typeof table.country !== 'string') continue;
    const { country, region } = table;
    const place = await placeOf(document, table, { country, region: region ?? undefined });
    if (place) ofTables.set(table, place);
  }
  return { schedules: ofSchedules, payTables: ofTables };
}

async function placeOf(
  document: FileDocument,
  entry: object,
  codes: { country: string; region: string | undefined },
): Promise<HolidayPlace | null> {
  const read = readPlace(await listCountries(), codes);
  if (!('problem' in read)) return read.place;
  document.report(document.pathOf(entry, read.problem.field), read.problem.message);
  return null;
}
