import type { SnapshotRoom } from '../../db/backup/snapshot.ts';
import type { MissingMigrations } from '../../db/migrate.ts';
import { reasonAgainstOlder } from '../../db/migration-files.ts';
import { type Finding, fine, note, problem } from './finding.ts';

export type UpgradeFacts = {
  /** The versions of running processes, in ascending order of their start. */
  running: string[];
  /** The version of the process that started last; null if none ever did. */
  last: string | null;
  /** Whether the role may create tables and change every existing one. */
  mayMigrate: boolean;
};

/** Lists the releases that use the database. */
export function releaseFindings(version: string, { running, last }: UpgradeFacts): Finding[] {
  if (running.length > 0) {
    const each = [...new Set(running)].join(' and ');
    const processes = running.length === 1 ? 'a process' : `${running.length} processes`;
    return [fine('server', `this is ${version}; ${processes} of ${each} run on this database`)];
  }
  if (last === null) return [fine('server', `this is ${version}; no process has used this database yet`)];
  return [fine('server', `this is ${version}; ${last} used this database last, and no process runs now`)];
}

/** Lists the changes of the first start. */
export function migrationFindings(missing: MissingMigrations, { mayMigrate }: UpgradeFacts): Finding[] {
  const { newest, atStart, whileServing } = missing;
  if (newest === null) return [fine('database', 'it is empty; the first start sets it up')];
  if (atStart.length + whileServing.length === 0)
    return [fine('database', 'it already has every migration of this release')];
  if (!mayMigrate)
    return [
      problem(
        'database',
        `the role of DATABASE_URL may not apply the missing ${counted(atStart.length + whileServing.length)}`,
        'let this role own the tables of Tocsin and create tables in their schema',
      ),
    ];
  const findings: Finding[] = [];
  if (atStart.length > 0)
    findings.push(
      fine(
        'database',
        `the first start applies ${counted(atStart.length)}, each of which blocks other work for two seconds at most`,
      ),
    );
  if (whileServing.length > 0)
    findings.push(
      fine(
        'database',
        `${counted(whileServing.length)} more ${whileServing.length === 1 ? 'runs' : 'run'} after the start, while pages are accepted`,
      ),
    );
  return [...findings, ...compatibility([...atStart, ...whileServing])];
}

function compatibility(files: MissingMigrations['atStart']): Finding[] {
  const against = files.flatMap(({ text }) => reasonAgainstOlder(text) ?? []);
  if (against.length === 0)
    return [
      fine(
        'server',
        'processes of the previous release can keep running meanwhile, and can be started again',
      ),
    ];
  return [
    note(
      'server',
      `older processes cannot run on the database afterwards: ${against.join('; ')}`,
      'stop them all before you start this release, and make a backup: only a backup can bring the old state back',
    ),
  ];
}

/** `room`: that of the embedded database; null with an external one. */
export function snapshotFindings(room: SnapshotRoom | null, leastFreeMb: number): Finding[] {
  const fix = 'write a backup first: tocsin backup <file>';
  if (room === null)
    return [note('database', 'Tocsin makes no snapshot of an external database before it migrates it', fix)];
  if (room.enough)
    return [
      fine(
        'database',
        'the first start writes a snapshot to the folder snapshots of DATA_DIR before it migrates',
      ),
    ];
  return [
    note(
      'database',
      `there is no room for a snapshot: ${Math.floor(room.freeMb ?? 0)} MiB are free in DATA_DIR, ${Math.ceil(room.databaseMb + leastFreeMb)} MiB are needed`,
      `free some space, or ${fix}`,
    ),
  ];
}

function counted(migrations: number): string {
  return migrations === 1 ? 'one migration' : `${migrations} migrations`;
}
