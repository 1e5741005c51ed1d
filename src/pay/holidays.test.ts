import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { testDatabase } from '../../testing/database.ts';
import { seedOrganization } from '../../testing/organization.ts';
import { MovableClock } from '../db/clock.ts';
import { createDatabase, createPool } from '../db/database.ts';
import { createSealing } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { ensureHolidays } from './holidays.ts';
import { forgetHolidays, holidaysOfTables, listTables, saveTable } from './store.ts';

it('does not keep the holidays of a former place that were computed while it changed', async () => {
  const test = await testDatabase();
  const db = createDatabase(createPool({ connection: { connectionString: test.url }, max: 3, name: 'pay' }));
  try {
    const clock = new MovableClock();
    const acme = await seedOrganization(
      { db, clock, sealing: createSealing(randomBytes(32)) },
      { people: { ada: {} } },
    );
    const id = newId('pay_table');
    const inRegion = (region: string) =>
      db.transaction().execute(async (tx) => {
        const table = { name: 'Germany', currency: 'EUR', timeZone: 'Europe/Berlin', isDefault: true };
        await saveTable(tx, await clock.now(tx), acme.id, id, { ...table, country: 'DE', region });
        await forgetHolidays(tx, id);
      });
    await inRegion('BY');
    const days = { first: '2031-06-01', last: '2031-06-30' };
    const computing = ensureHolidays(db, acme.id, days);
    // Wait until it has read the table. The holidays are computed in a thread, which takes longer than this change.
    await listTables(db, acme.id);
    await inRegion('BE');
    await computing;
    await ensureHolidays(db, acme.id, days);
    const found = (await holidaysOfTables(db, acme.id)).get(id);
    assert.deepEqual([found?.has('2031-01-06'), found?.has('2031-03-08')], [false, true]);
  } finally {
    await db.destroy();
    await test.drop();
  }
});
