import { occurrenceAt, type Repetition } from '../calendars/repetition.ts';
import type { Tx } from '../db/database.ts';
import { isTimeZone } from '../kit/validation.ts';
import type { SourceEvent } from './contract.ts';
import { mayRaise } from './decide.ts';
import type { WindowHold } from './holds.ts';
import { allHold, type Facts, factsOf } from './matcher.ts';
import { type CaughtEvent, noteCaught, type RunningWindow, runningWindows } from './windows-store.ts';

/** A trigger that a window may hold. `teamId` is the team of its source. */
export type WindowLookup = {
  organizationId: string;
  teamId: string;
  sourceId: string;
  event: Pick<SourceEvent, 'action' | 'bare' | 'severity' | 'title' | 'source' | 'labels' | 'dedupKey'>;
  /** Null for heartbeats, which are checked again and again. */
  requestId: string | null;
  /** The event waited, so it is decided again. */
  waited?: boolean;
};

/**
 * The window that would hold each of these events at `at`, or null. If several windows match, one that holds takes
 * precedence over one that only records, so that nothing is lost, and then the one that ends last.
 */
export async function windowsFor(
  tx: Tx,
  at: Temporal.Instant,
  lookups: readonly WindowLookup[],
): Promise<(WindowHold | null)[]> {
  const triggers = lookups.filter(({ event }) => mayRaise(event));
  if (triggers.length === 0) return lookups.map(() => null);
  const rows = await runningWindows(tx, at, [
    ...new Set(triggers.map(({ organizationId }) => organizationId)),
  ]);
  const windows = rows.flatMap((row) => nowRunning(row, at));
  return lookups.map((lookup) => {
    const window = mayRaise(lookup.event) ? windowOf(windows, lookup) : null;
    return window && holdOf(window);
  });
}

/**
 * Records the events that windows held or recorded, for *Now* and the reports. Call it in the transaction that processes
 * the events, with their keys locked.
 */
export async function noteHeld(
  tx: Tx,
  at: Temporal.Instant,
  held: readonly (WindowLookup & { window: WindowHold })[],
): Promise<void> {
  await noteCaught(tx, at, held.map(caughtBy));
}

/** The row of a repeating window may still have a past occurrence, until the next one is written into it. */
function nowRunning(window: RunningWindow, at: Temporal.Instant): RunningWindow[] {
  if (Temporal.Instant.compare(window.endsAt, at) > 0) return [window];
  const repetition = repetitionOf(window);
  const now = repetition && occurrenceAt(repetition, at);
  return now && Temporal.Instant.compare(now.startsAt, at) <= 0 ? [{ ...window, ...now }] : [];
}

/**
 * How a window repeats; null if it does not. Another release of Node.js may not know a zone that was accepted; such a
 * window does not repeat, because nothing may be held by a time that cannot be computed.
 */
export function repetitionOf(
  window: Pick<RunningWindow, 'recurrence' | 'zone' | 'firstStartsAt' | 'firstEndsAt' | 'repeatsUntil'>,
): Repetition | null {
  const { recurrence, zone, firstStartsAt: startsAt, firstEndsAt: endsAt, repeatsUntil: until } = window;
  return recurrence === null || zone === null || !isTimeZone(zone)
    ? null
    : { recurrence, zone, first: { startsAt, endsAt }, until };
}

function windowOf(windows: readonly RunningWindow[], lookup: WindowLookup): RunningWindow | null {
  const { organizationId, teamId, sourceId, event } = lookup;
  let facts: Facts | null = null;
  const matching = windows.filter((window) => {
    if (window.organizationId !== organizationId || window.teamId !== teamId) return false;
    if (window.sourceId !== null && window.sourceId !== sourceId) return false;
    facts ??= factsOf(event);
    return allHold(window.match, facts);
  });
  return matching.toSorted(holdsFirst)[0] ?? null;
}

function holdsFirst(a: RunningWindow, b: RunningWindow): number {
  if (a.effect !== b.effect) return a.effect === 'hold' ? -1 : 1;
  return Temporal.Instant.compare(b.endsAt, a.endsAt);
}

function holdOf({ id, name, effect: kind, startsAt: since, endsAt: until }: RunningWindow): WindowHold {
  return { id, name, kind, since, until };
}

function caughtBy(held: WindowLookup & { window: WindowHold }): CaughtEvent {
  const { organizationId, sourceId, requestId, waited = false, window } = held;
  const { dedupKey, title } = held.event;
  const again = requestId === null || waited;
  return { windowId: window.id, organizationId, startsAt: window.since, sourceId, dedupKey, title, again };
}
