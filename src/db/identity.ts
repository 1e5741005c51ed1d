import type { ClientBase } from 'pg';
import type { SessionAttrs } from './address.ts';

/** Which server a connection leads to, and whether it takes writes. */
export type Identity = {
  /** It follows another server. */
  standby: boolean;
  /** It takes no writes, as a standby or because somebody set it so. */
  readOnly: boolean;
  /** Counted up by each promotion; null on a standby, and where the server does not say. */
  timeline: number | null;
  /** The same for a server and all its copies; null where the server does not say. */
  system: string | null;
};

/** A server that takes no writes where they are needed: the former primary, or the future one. */
export class ReadOnlyFault extends Error {
  override name = 'ReadOnlyFault';
  /** PostgreSQL's own word for it. */
  readonly code = '25006';
}

const STATE = `pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "readOnly"`;
const HISTORY = `case when pg_is_in_recovery() then null
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer end as timeline,
  (select system_identifier::text from pg_control_system()) as system`;

/** Insufficient privilege, and what servers that keep their log otherwise answer: undefined or unsupported functions. */
const NO_HISTORY = new Set(['42501', '42883', '0A000', '55000']);

/** Asks the server behind a connection who it is. */
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
  if (!row) throw new Error('the database did not say who it is');
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

/** Whether `one` goes on from an earlier state of the same data than `other`: it was left behind by a promotion. */
export function isBehind(one: Identity, other: Identity): boolean {
  if (one.timeline === null || other.timeline === null) return false;
  return one.system === other.system && one.timeline < other.timeline;
}

/** Whether writes to `one` are not, or not all, in `other`. */
export function isElsewhere(one: Identity, other: Identity): boolean {
  if (one.system !== null && other.system !== null && one.system !== other.system) return true;
  return one.timeline !== null && other.timeline !== null && one.timeline !== other.timeline;
}

/** @throws ReadOnlyFault where writes would be refused */
export async function refuseReadOnly(client: Pick<ClientBase, 'query'>): Promise<void> {
  if ((await readIdentity(client)).readOnly) throw notPrimary();
}

export function notPrimary(): ReadOnlyFault {
  return new ReadOnlyFault('the database takes no writes: it is read-only, and not the primary');
}
