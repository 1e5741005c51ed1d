import { type RawBuilder, sql } from 'kysely';
import { LOCK } from './advisory-locks.ts';

/** `application_name` of the connection that each running server holds. */
export const NODE_APPLICATION = 'tocsin node';

/** Selects one row for each server that runs on this database. */
export const RUNNING_SERVERS = `select pid from pg_stat_activity where application_name = '${NODE_APPLICATION}' and datname = current_database()`;

/**
 * Whether the process of a row of `nodes` runs, which means that it holds its lock in this database. Locks in other
 * databases of the same server do not count. `idColumn` is an expression from our own code, never input.
 */
export function nodeIsRunning(idColumn: string): RawBuilder<boolean> {
  return sql.raw(`exists (
    select from pg_locks l where l.locktype = 'advisory' and l.classid = ${LOCK.node} and l.objid = ${idColumn}
      and l.granted and l.database = (select oid from pg_database where datname = current_database()))`);
}
