import {
  type Occurrence,
  occurrenceAt,
  occurrencesFrom,
  type Repetition,
  readRule,
} from '../calendars/repetition.ts';
import type { Tx } from '../db/database.ts';
import { type Detail, Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import { matcherProblems } from './check-settings.ts';
import { announceEnd } from './window-ends.ts';
import { repetitionOf } from './windows.ts';
import { MOST_WINDOW_DAYS, type WindowEffect } from './windows-api-contract.ts';
import {
  countWindows,
  insertWindow,
  moveWaiting,
  type RunningWindow,
  updateWindow,
  type WindowChanges,
} from './windows-store.ts';

/** A window to create. */
export type WantedWindow = {
  organizationId: string;
  teamId: string;
  sourceId: string | null;
  name: string;
  effect: WindowEffect;
  /** A silence begins now and does not repeat. */
  silence: boolean;
  match: string[];
  first: Occurrence;
  /** RFC 5545, may have UNTIL; null: once. */
  rrule: string | null;
  zone: string | null;
  repeatsUntil: Temporal.Instant | null;
  /** Its owner; null: the operator. */
  createdBy: string | null;
};

/** Limits the data that is read with every call of a source. */
const MOST_WINDOWS = 1_000;

/** A valid window: its first occurrence from now on, and its repetition. */
type Planned = { next: Occurrence; repetition: Repetition | null };

/** Checks the definition of a window. @throws Fault `bad_request` with every invalid field */
function plan(wanted: WantedWindow, at: Temporal.Instant): Planned {
  const { first, rrule, zone } = wanted;
  const rule = rrule === null ? null : readRule(rrule, zone ?? 'UTC');
  const problems = [
    ...wanted.match.flatMap((text, index) => matcherProblems(text, `match[${index}]`)),
    ...timeProblems(wanted, at),
    ...(rule && 'problems' in rule ? rule.problems : []),
  ];
  if (problems.length > 0 || (rule && 'problems' in rule)) throw new Fault('bad_request', problems);
  if (!rule || zone === null) return { next: first, repetition: null };
  const until = wanted.repeatsUntil ?? rule.until;
  const repetition = { recurrence: rule.recurrence, zone, first, until };
  return { next: nextOccurrence(repetition, at), repetition };
}

/** The first occurrences of a window before it is created, at most `most`. Throws the same faults as `createWindow`. */
export function firstOccurrences(wanted: WantedWindow, at: Temporal.Instant, most: number): Occurrence[] {
  const { next, repetition } = plan(wanted, at);
  return repetition ? occurrencesFrom(repetition, at, most) : [next];
}

/**
 * Creates a window or a silence and returns its id. @throws Fault `bad_request` with every invalid field; `conflict` if
 * the team has a window of this name, or the organization has too many
 */
export async function createWindow(tx: Tx, at: Temporal.Instant, wanted: WantedWindow): Promise<string> {
  const { first, rrule: _, ...window } = wanted;
  const { next, repetition } = plan(wanted, at);
  if ((await countWindows(tx, wanted.organizationId)) >= MOST_WINDOWS) throw tooMany();
  const id = newId('window');
  const inserted = await insertWindow(tx, at, {
    ...window,
    ...next,
    id,
    firstStartsAt: first.startsAt,
    firstEndsAt: first.endsAt,
    recurrence: repetition?.recurrence ?? null,
    zone: repetition?.zone ?? null,
    repeatsUntil: repetition?.until ?? null,
  });
  if (!inserted) throw nameTaken();
  return id;
}

function timeProblems(
  { first, rrule, zone, repeatsUntil, silence }: WantedWindow,
  at: Temporal.Instant,
): Detail[] {
  const problems: Detail[] = [];
  const add = (field: string, message: string) => problems.push({ field, message });
  const { startsAt, endsAt } = first;
  const end = instantText(endsAt);
  if (!isAfter(endsAt, startsAt))
    add(
      'ends_at',
      t('is {end}, but the window begins at {startsAt}; give a later time', {
        end,
        startsAt: instantText(startsAt),
      }),
    );
  else if (rrule === null && !isAfter(endsAt, at))
    add('ends_at', t('is {end}, which is past; give a later time', { end }));
  else if (startsAt.until(endsAt).total('hours') > MOST_WINDOW_DAYS * 24)
    add(
      'ends_at',
      t('is more than {most} days after the start; give an earlier time', { most: MOST_WINDOW_DAYS }),
    );
  if (silence && rrule !== null)
    add(
      'rrule',
      t('is given for a silence, which does not repeat; leave it out, or make a maintenance window'),
    );
  if (silence && isAfter(startsAt, at))
    add(
      'starts_at',
      t('is given for a silence, which begins now; leave it out, or make a maintenance window'),
    );
  if (rrule !== null && zone === null)
    add('zone', t('is missing; give the time zone in which the window repeats, such as Europe/Berlin'));
  if (rrule === null && zone !== null) add('zone', t('has no effect without rrule; leave it out'));
  if (rrule === null && repeatsUntil !== null)
    add('repeats_until', t('has no effect without rrule; leave it out'));
  return problems;
}

function nextOccurrence(repetition: Repetition, at: Temporal.Instant): Occurrence {
  const next = occurrenceAt(repetition, at);
  if (!next)
    throw new Fault('bad_request', [
      { field: 'rrule', message: t('has no future occurrence; give a rule with a later one') },
    ]);
  const after = occurrenceAt(repetition, next.endsAt);
  if (after && isAfter(next.endsAt, after.startsAt))
    throw new Fault('bad_request', [
      {
        field: 'ends_at',
        message: t(
          'is after the start of the next repetition; give an earlier time, or let it repeat less often',
        ),
      },
    ]);
  return next;
}

export type WindowEdit = {
  name?: string;
  effect?: WindowEffect;
  match?: string[];
  endsAt?: Temporal.Instant;
  repeatsUntil?: Temporal.Instant | null;
};

/** Changes a locked window. Its held events page at its new end. Throws the same faults as `createWindow`. */
export async function changeWindow(
  tx: Tx,
  at: Temporal.Instant,
  window: RunningWindow,
  { endsAt, ...edit }: WindowEdit,
): Promise<void> {
  const problems = [
    ...(edit.match ?? []).flatMap((text, index) => matcherProblems(text, `match[${index}]`)),
    ...endProblems(window, endsAt, edit.repeatsUntil, at),
  ];
  if (problems.length > 0) throw new Fault('bad_request', problems);
  const changes: WindowChanges = { ...edit, ...(endsAt ? { endsAt, firstEndsAt: endsAt } : {}) };
  if (!(await updateWindow(tx, window.id, changes))) throw nameTaken();
  // Events that the window only records do not page later, and events that its new matchers leave out are decided
  // again.
  if (edit.effect || edit.match) await moveWaiting(tx, window.id, at);
  else if (endsAt) await moveWaiting(tx, window.id, endsAt);
}

function endProblems(
  window: RunningWindow,
  endsAt: Temporal.Instant | undefined,
  repeatsUntil: Temporal.Instant | null | undefined,
  at: Temporal.Instant,
): Detail[] {
  const repeats = repetitionOf(window) !== null;
  const problems: Detail[] = [];
  if (endsAt && repeats)
    problems.push({
      field: 'ends_at',
      message: t('cannot be changed, because the window repeats; change repeats_until, or make a new window'),
    });
  else if (endsAt && !isAfter(endsAt, at))
    problems.push({
      field: 'ends_at',
      message: t('is {endsAt}, which is past; give a later time, or end the window', {
        endsAt: instantText(endsAt),
      }),
    });
  else if (endsAt && !isAfter(endsAt, window.startsAt))
    problems.push({ field: 'ends_at', message: t('is before the window begins; give a later time') });
  else if (endsAt && window.startsAt.until(endsAt).total('hours') > MOST_WINDOW_DAYS * 24)
    problems.push({
      field: 'ends_at',
      message: t('is more than {most} days after the start; give an earlier time', {
        most: MOST_WINDOW_DAYS,
      }),
    });
  if (repeatsUntil !== undefined && !repeats)
    problems.push({
      field: 'repeats_until',
      message: t('has no effect, because the window does not repeat; leave it out'),
    });
  return problems;
}

/** Ends a locked window now, with all its repetitions. Held events that are still open page now. */
export async function endWindow(
  tx: Tx,
  at: Temporal.Instant,
  window: RunningWindow,
  by: { userId: string | null; name: string },
): Promise<void> {
  const began = !isAfter(window.startsAt, at);
  await updateWindow(tx, window.id, {
    overAt: at,
    endedBy: by.userId,
    ...(began && isAfter(at, window.startsAt) && isAfter(window.endsAt, at) ? { endsAt: at } : {}),
  });
  await moveWaiting(tx, window.id, at);
  if (began) await announceEnd(tx, at, window, by.name);
}

function isAfter(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) > 0;
}

function tooMany(): Fault {
  return new Fault('conflict', [
    {
      field: 'windows',
      message: t('There are already {most} maintenance windows and silences; end one first.', {
        most: MOST_WINDOWS,
      }),
    },
  ]);
}

function nameTaken(): Fault {
  return new Fault('conflict', [
    { field: 'name', message: t('is taken by another maintenance window of this team; give another one') },
  ]);
}
