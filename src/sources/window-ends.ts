import { occurrenceAt } from '../calendars/repetition.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { t } from '../language/contract.ts';
import { queueNotices } from '../notices/store.ts';
import { findTeam, teamMemberIds } from '../people/team-store.ts';
import { repetitionOf } from './windows.ts';
import {
  type Caught,
  caughtIn,
  lockEndedWindows,
  type RunningWindow,
  stillOpenAfter,
  updateWindow,
} from './windows-store.ts';

const AT_ONCE = 50;

/**
 * Closes the windows whose time has ended, or moves them to their next occurrence, and notifies their teams. Other code
 * pages the events that are still open, because they wait for the same time. Returns whether there may be more.
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
 * Notifies the members of the team that a window ended: automatically, or `by` a person. A repeating window only does
 * so if it held something, because nobody needs a notice of every quiet night.
 */
export async function announceEnd(
  tx: Tx,
  at: Temporal.Instant,
  window: RunningWindow,
  by: string | null,
): Promise<void> {
  const caught = await caughtIn(tx, window.id, window.startsAt);
  if (caught.things === 0 && window.recurrence !== null && by === null) return;
  const endedAt = by === null ? window.endsAt : at;
  const open = window.effect === 'hold' ? await stillOpenAfter(tx, window, endedAt) : [];
  const team = await findTeam(tx, window.organizationId, window.teamId);
  const members = await teamMemberIds(tx, window.teamId);
  const words = () => {
    const values = { window: window.name, team: team?.name ?? 'The team', who: by ?? '' };
    const ended =
      by === null
        ? t('The maintenance window or silence “{window}” of {team} ended.', values)
        : t('The maintenance window or silence “{window}” of {team} was ended by {who}.', values);
    return `${ended} ${caughtText(window, caught, open)}`;
  };
  await queueNotices(tx, at, () =>
    members.map((userId) => ({
      organizationId: window.organizationId,
      userId,
      kind: 'window.ended',
      subject: t('“{window}” ended', { window: window.name }),
      text: words(),
      path: `/windows/${window.id}`,
      dedupKey: `window.ended:${window.id}:${window.startsAt.epochMilliseconds}`,
    })),
  );
}

/** Titles that a notice names. */
const MOST_NAMED = 5;

function caughtText(
  { effect }: RunningWindow,
  { things, events, titles }: Caught,
  open: readonly string[],
): string {
  if (things === 0) return t('Nothing was reported during it.');
  const alerts = t('{things, plural, one {# alert} other {# alerts}}', { things });
  const count =
    events === things
      ? alerts
      : t('{alerts} ({events, plural, one {# event} other {# events}})', { alerts, events });
  const values = { count, titles: named(titles, things) };
  if (effect === 'record') return t('It recorded {count} without paging: {titles}.', values);
  const held = t('It held back {count}: {titles}.', values);
  if (open.length === 0) return `${held} ${t('All of them have ended.')}`;
  return `${held} ${t(
    '{open, plural, one {# of them is still open: {titles}. It pages now, unless another window, a silence or the hours of its source hold it back.} other {# of them are still open: {titles}. They page now, unless another window, a silence or the hours of their sources hold them back.}}',
    { open: open.length, titles: named(open, open.length) },
  )}`;
}

function named(titles: readonly string[], count: number): string {
  const shown = titles.slice(0, MOST_NAMED);
  return `${shown.map((title) => t('“{title}”', { title })).join(', ')}${count > shown.length ? ', …' : ''}`;
}
