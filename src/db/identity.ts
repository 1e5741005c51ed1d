import type { ClientBase } from 'pg';
import type { SessionAttrs } from './address.ts';

/** Identifies the server of a connection, and whether it accepts writes. */
export type Identity = {
  /** It is a replica of another server. */
  standby: boolean;
  /** It accepts no writes: it is a standby or was set to read-only. */
  readOnly: boolean;
  /** Increases with each promotion. Null on a standby, or if the server does not report it. */
  timeline: number | null;
  /** The same for a server and all its copies. Null if the server does not report it. */
  system: string | null;
};

/** A write reached a server that accepts none: a former or future primary. */
export class ReadOnlyFault extends Error {
  override name = 'ReadOnlyFault';
  /** PostgreSQL's SQLSTATE for it. */
  readonly code = '25006';
}

const STATE = `pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "readOnly"`;
const HISTORY = `case when pg_is_in_recovery() then null
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer end as timeline,
  (select system_identifier::text from pg_control_system()) as system`;

/**
 * Insufficient privilege, undefined function or unsupported feature: the answers of managed servers with a different
 * kind of log.
 */
const NO_HISTORY = new Set(['42501', '42883', '0A000', '55000']);

/** Reads the identity of a connection's server. */
export async function readIdentity(client: Pick<ClientBase, 'query'>): Promise<Identity> {
  try {
    return await ask(client, `select ${STATE}, ${HISTORY}`);
  } catch (error) {
    if (!NO_HISTORY.has((error as { code?: string }).code ?? '')) throw error;
    return { ...(await ask(client, `select ${STATE}`)), timeline: null, system: null };
  }
}

async function ask(client: Pick<ClientBase, 'query'>, text: string): Promise<Identity> {
  const { rows } = await client.query<Identity>(text);
  const row = rows[0];
  if (!row) throw new Error('the database did not return its identity');
  return row;
}

export function suits({ standby, readOnly }: Identity, attrs: SessionAttrs): boolean {
  switch (attrs) {
    case 'read-write':
      return !standby && !readOnly;
    case 'read-only':
      return standby || readOnly;
    case 'primary':
      return !standby;
    case 'standby':
    case 'prefer-standby':
      return standby;
    default:
      return true;
  }
}

/** Whether `one` is an earlier timeline of the same data as `other`, left behind by a promotion. */
export function isBehind(one: Identity, other: Identity): boolean {
  if (one.timeline === null || other.timeline === null) return false;
  return one.system === other.system && one.timeline < other.timeline;
}

/** Whether they are on different timelines or hold different data, so that `other` may lack writes to `one`. */
export function isElsewhere(one: Identity, other: Identity): boolean {
  if (one.system !== null && other.system !== null && one.system !== other.system) return true;
  return one.timeline !== null && other.timeline !== null && one.timeline !== other.timeline;
}

/** @throws ReadOnlyFault if the server would refuse writes */
export async function refuseReadOnly(client: Pick<ClientBase, 'query'>): Promise<void> {
  if ((await readIdentity(client)).readOnly) throw notPrimary();
}

export function notPrimary(): ReadOnlyFault {
  return new ReadOnlyFault('the database takes no writes: it is read-only, and not the primary');
}
