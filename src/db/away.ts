import { isCutOff, tlsTrouble } from '../kit/tls-trouble.ts';
import { t } from '../language/contract.ts';

/**
 * SQLSTATE classes of temporary failures: connection, resources, operator intervention, lock and time limits, and a
 * read-only server, such as the former or future primary during a failover.
 */
const PASSING = /^(08|53|57|58|40|55P03|25P0[34]|25006)/;
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNABORTED',
]);
const DRIVER =
  /timeout exceeded when trying to connect|is not currently accepting connections|Connection terminated|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|cached plan must not change result type/i;

/** This process has not connected to the database yet, so nothing was sent to it. */
export class NotConnected extends Error {
  override name = 'NotConnected';
  /** PostgreSQL's SQLSTATE for it. */
  readonly code = '08001';
  constructor() {
    super('this process is not connected to its database yet');
  }
}

/**
 * Whether a starting process waits for the database: it is away, and waiting may help. Somebody has to correct wrong
 * certificates and TLS settings.
 */
export function isWorthWaiting(error: unknown): boolean {
  return isDatabaseAway(error) && (isCutOff(error) || tlsTrouble(error, '') === null);
}

/** Whether an error means that the database is temporarily unusable, as opposed to a faulty statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  if (typeof code === 'string' && (SOCKET.has(code) || PASSING.test(code))) return true;
  return DRIVER.test(error.message) || tlsTrouble(error, '') !== null;
}

/**
 * The server refused the statement or never received it: the database is read-only, full, starting or out of
 * connections.
 */
const NOT_DONE = /^(25006|53|55P03|40|57014|57P03)/;

/** Whether the database ended a statement because it took longer than its time limit. */
export function isTooSlow(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '57014';
}

/** Whether a failed statement may have been committed, because its answer was lost. */
export function isOutcomeUnknown(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return isDatabaseAway(error) && !(typeof code === 'string' && NOT_DONE.test(code));
}

/** Why a request is refused while the database is away. `isAfloat`: a lifeboat of this node accepts pages meanwhile. */
export function awayReason(isAfloat = false): string {
  return isAfloat
    ? t(
        'cannot reach its database at the moment; a lifeboat accepts pages, acknowledgements and resolutions meanwhile, but not this request',
      )
    : t('cannot reach its database at the moment');
}
