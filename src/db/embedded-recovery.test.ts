import '../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { FORGETFUL, postmasterOf, run, temporaryDataDir, until } from '../../testing/embedded.ts';
import { isDatabaseAway } from './away.ts';
import { createDatabase, createPool } from './database.ts';

test('a crash of the database fails what was under way, and its users go on with the same pool', async (t) => {
  const dataDir = temporaryDataDir(t);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await server.saw('running');
  const db = createDatabase(createPool({ connection, max: 4, name: 'test' }));
  t.after(() => db.destroy());

  await Promise.all(Array.from({ length: 3 }, () => sql`select pg_sleep(0.01)`.execute(db)));
  // How its end is heard is up to the network: as its last word, as the end of the connection, or as a reset.
  const statement = assert.rejects(sql`select pg_sleep(60)`.execute(db), isDatabaseAway);
  const transaction = assert.rejects(
    db.transaction().execute(async (within) => {
      await sql`select 1`.execute(within);
      process.kill(postmasterOf(dataDir) ?? 0, 'SIGQUIT');
      // Lent out, and idle, when the connection breaks.
      await server.saw('crashed');
      await sql`select 2`.execute(within);
    }),
    isDatabaseAway,
  );
  await Promise.all([statement, transaction]);

  const answers = () =>
    sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
  await until(answers);
  assert.equal(await server.end(), 0);
});
