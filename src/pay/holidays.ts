import { findCountryDays } from '../calendars/country-holidays.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { AROUND_DAYS } from './statement.ts';
import { listTables, saveHolidays } from './store.ts';

/**
 * Computes the holidays of the tables’ places for the years around the days, unless they are already known. They are
 * stored, so that paid amounts never change because a new release knows better. @throws Fault `unavailable` if they
 * cannot be computed now
 */
export async function ensureHolidays(
  db: Database,
  organizationId: string,
  days: { first: string; last: string },
): Promise<void> {
  const year = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).year;
  const [first, last] = [year(days.first, -AROUND_DAYS), year(days.last, AROUND_DAYS)];
  for (const table of await listTables(db, organizationId)) {
    const { name, country, region, holidayYears } = table;
    if (country === null) continue;
    for (let wanted = first; wanted <= last; wanted++) {
      if (holidayYears.includes(wanted)) continue;
      const found = await findCountryDays({ country, region }, { first: wanted, last: wanted });
      if ('error' in found)
        throw new Fault('unavailable', [
          {
            field: 'holidays',
            message: t('of {name} cannot be found: {error}; try again', { name, error: found.error }),
          },
        ]);
      await db.transaction().execute((tx) => saveHolidays(tx, organizationId, table, wanted, found));
    }
  }
}
