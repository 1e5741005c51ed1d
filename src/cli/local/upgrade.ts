import type { ClientConfig } from 'pg';
import { type Config, readConfig } from '../../config.ts';
import { measureSnapshotRoom } from '../../db/backup/snapshot.ts';
import { createDatabase, createPool } from '../../db/database.ts';
import { type MissingMigrations, missingMigrations } from '../../db/migrate.ts';
import { MigrationFault } from '../../db/migration-files.ts';
import { VERSION } from '../../kit/version.ts';
import { databaseFindings } from '../doctor/database-findings.ts';
import { type Finding, findingText, problem } from '../doctor/finding.ts';
import { readDatabaseFacts, readUpgradeFacts } from '../doctor/store.ts';
import { migrationFindings, releaseFindings, snapshotFindings } from '../doctor/upgrade-findings.ts';
import type { Session } from '../session.ts';
import { withBareDatabase } from './connection.ts';
import { demandDatabase } from './database.ts';

/** Prints what the first start of this release will do. Returns false if it would fail. */
export async function checkUpgrade(session: Session): Promise<boolean> {
  const { output } = session;
  demandDatabase(readConfig(session.env));
  const findings = await withBareDatabase(session, examineUpgrade);
  const ready = findings.every(({ level }) => level !== 'problem');
  const verdict = ready
    ? `Tocsin ${VERSION} can take over this database.`
    : `Tocsin ${VERSION} cannot take over this database yet.`;
  output.result([...findings.map(findingText), verdict].join('\n'), {
    ok: ready,
    version: VERSION,
    findings,
  });
  return ready;
}

async function examineUpgrade(connection: ClientConfig, config: Readonly<Config>): Promise<Finding[]> {
  const missing = await missingMigrations(connection).catch((error: unknown) => {
    if (error instanceof MigrationFault) return error;
    throw error;
  });
  if (missing instanceof MigrationFault)
    return [problem('database', missing.message, 'start the right release; this one changed nothing')];
  const pool = createPool({ connection, max: 1, name: 'tocsin command', statementTimeoutMs: 60_000 });
  const db = createDatabase(pool);
  try {
    const facts = await readUpgradeFacts(db);
    return [
      ...databaseFindings(await readDatabaseFacts(db)),
      ...releaseFindings(VERSION, facts),
      ...migrationFindings(missing, facts),
      ...(await snapshots(connection, config, missing)),
    ];
  } finally {
    await db.destroy();
  }
}

async function snapshots(
  connection: ClientConfig,
  { databaseUrl, dataDir, leastFreeMb }: Readonly<Config>,
  { newest, atStart }: MissingMigrations,
): Promise<Finding[]> {
  if (newest === null || atStart.length === 0) return [];
  if (databaseUrl !== null) return snapshotFindings(null, leastFreeMb);
  return snapshotFindings(await measureSnapshotRoom(connection, dataDir, leastFreeMb), leastFreeMb);
}
