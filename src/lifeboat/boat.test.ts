import '../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { sql } from 'kysely';
import { testDatabase } from '../../testing/database.ts';
import { temporaryDataDir } from '../../testing/embedded.ts';
import { eventually } from '../../testing/eventually.ts';
import { seedOrganization } from '../../testing/organization.ts';
import { tcpProxy } from '../../testing/tcp-proxy.ts';
import { databaseClock } from '../db/clock.ts';
import { createDatabase, createPool } from '../db/database.ts';
import { claimInstallation } from '../installation/store.ts';
import { createLog } from '../kit/log.ts';
import { createSealing } from '../kit/sealing.ts';
import { openLifeboat } from './boat.ts';

it('a lifeboat is afloat in time if the database falls silent while it is copied', async (t) => {
  const database = await testDatabase();
  const main = createDatabase(
    createPool({ connection: { connectionString: database.url }, max: 2, name: 'test' }),
  );
  const address = new URL(database.url);
  const network = await tcpProxy({ host: address.hostname, port: Number(address.port) });
  t.after(async () => {
    await network.stop();
    await main.destroy();
    await database.drop();
  });
  await claimInstallation(main, databaseClock, 'key');
  const sealing = createSealing(randomBytes(32));
  await seedOrganization({ db: main, clock: databaseClock, sealing }, { people: { ada: {} } });
  address.port = String(network.port);
  let launchedAt: number | null = null;
  const lifeboat = await openLifeboat({
    dataDir: temporaryDataDir(t),
    main: { connectionString: address.href },
    afterMs: 2_000,
    copyEveryMs: 1_000,
    log: createLog('silent'),
    signal: new AbortController().signal,
    async launch() {
      launchedAt ??= performance.now();
      return { base: { routing: () => undefined }, acceptDb: main, stop: async () => undefined };
    },
  });
  t.after(() => lifeboat.stop());
  lifeboat.attach({
    ...{ recovery: null, acknowledge: async () => undefined, keeps: () => true, wake: () => undefined },
    applySignals: async () => ({ outcomes: [], leavesSteps: false, afterCommit: () => undefined }),
  });
  await eventually(async () => lifeboat.copiedAt !== null, true);

  let silentAt = 0;
  await main.transaction().execute(async (tx) => {
    await sql`lock table users in access exclusive mode`.execute(tx);
    const copying = async () => {
      const { rows } = await sql<{ waits: boolean }>`
        select exists (select from pg_stat_activity where wait_event_type = 'Lock'
          and application_name = 'tocsin lifeboat copy') as waits`.execute(main);
      return rows[0]?.waits;
    };
    await eventually(copying, true);
    network.set('silent');
    silentAt = performance.now();
  });
  await eventually(async () => launchedAt !== null, true);
  const seconds = ((launchedAt ?? 0) - silentAt) / 1_000;
  // A copy is abandoned after 50 s in any case.
  assert.ok(seconds < 45, `it was afloat after ${Math.round(seconds)} s`);
});
