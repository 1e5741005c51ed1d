import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { queueNotices } from '../notices/store.ts';
import { occurrenceAt } from './repetition.ts';
import { repetitionOf } from './windows.ts';
import {
  caughtIn,
  lockEndedWindows,
  type RunningWindow,
  teamToNotify,
  updateWindow,
} from './windows-store.ts';

const AT_ONCE = 50;

/**
 * Closes the windows whose time is over, or moves them to their next occurrence, and notifies their teams. Pages what is
 * still open elsewhere: it waits for the same time. Returns whether there may be more.
 */
export async function endWindows({ db, clock }: { db: Database; clock: Clock }): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const ended = await lockEndedWindows(tx, at, AT_ONCE);
    for (const window of ended) {
      const repetition = repetitionOf(window);
      const next = repetition && occurrenceAt(repetition, at);
      await updateWindow(tx, window.id, next ?? { overAt: window.endsAt });
      await announceEnd(tx, at, window, null);
    }
    return ended.length === AT_ONCE;
  });
}

/**
 * Notifies the members of the team that a window ended: by itself, or `by` a person. A window that repeats says so only
 * when it caught something, because nobody needs a notice of every quiet night.
 */
export async function announceEnd(
  tx: Tx,
  at: Temporal.Instant,
  window: RunningWindow,
  by: string | null,
): Promise<void> {
  const { things, titles } = await caughtIn(tx, window.id, window.startsAt);
  if (things === 0 && window.recurrence !== null && by === null) return;
  const team = await teamToNotify(tx, window.teamId);
  const what = `The maintenance window or silence “${window.name}” of ${team.name}`;
  const text = `${what} ${by === null ? 'ended' : `was ended by ${by}`}. ${caughtText(window, things, titles)}`;
  await queueNotices(
    tx,
    at,
    team.userIds.map((userId) => ({
      organizationId: window.organizationId,
      userId,
      kind: 'window.ended',
      subject: `“${window.name}” ended`,
      text,
      path: null,
      dedupKey: `window.ended:${window.id}:${window.startsAt.epochMilliseconds}`,
    })),
  );
}

function caughtText({ effect }: RunningWindow, things: number, titles: readonly string[]): string {
  if (things === 0) return 'Nothing was reported during it.';
  const count = things === 1 ? '1 alert' : `${things} alerts`;
  const named = `${titles.map((title) => `“${title}”`).join(', ')}${things > titles.length ? ', …' : ''}`;
  return effect === 'record'
    ? `It recorded ${count} without paging: ${named}.`
    : `It held ${count}: ${named}. What is still open pages now.`;
}
