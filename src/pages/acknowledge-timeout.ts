import type { Tx } from '../db/database.ts';
import {
  type AcknowledgeTimeouts,
  DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES,
} from '../schedules/acknowledge-timeout-contract.ts';
import { acknowledgeTimeouts } from '../schedules/read-store.ts';
import type { Urgency } from './contract.ts';
import type { PageRow } from './store.ts';

const MINUTE_MS = 60_000;

/**
 * How long an acknowledgement lasts in milliseconds, or null if it never times out. A team with several schedules uses
 * the shortest time. A page to a person, or to a team without a schedule, times out only at high urgency.
 *
 * @param schedules the times of the team's schedules in minutes, 0 for never
 */
export function acknowledgeTimeoutMs(
  urgency: Urgency,
  schedules: readonly AcknowledgeTimeouts[],
): number | null {
  if (schedules.length === 0)
    return urgency === 'high' ? DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES * MINUTE_MS : null;
  const on = schedules.map((times) => times[urgency]).filter((minutes) => minutes > 0);
  return on.length === 0 ? null : Math.min(...on) * MINUTE_MS;
}

/** How long an extension lasts when acknowledgements do not time out. */
export const EXTENSION_MS = DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES * MINUTE_MS;

/** When an acknowledgement at `at` times out; null: never. */
export async function acknowledgementEnd(
  tx: Tx,
  page: PageRow,
  at: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  const lasts = await lastsMs(tx, page);
  return lasts === null ? null : at.add({ milliseconds: lasts });
}

/** How long an acknowledgement of this page lasts in milliseconds; null: it never times out. */
export async function lastsMs(tx: Tx, page: PageRow): Promise<number | null> {
  const schedules = page.teamId === null ? [] : await acknowledgeTimeouts(tx, page.teamId);
  return acknowledgeTimeoutMs(page.urgency, schedules);
}
