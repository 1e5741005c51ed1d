import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { queueNotices } from '../notices/store.ts';
import { readersById } from '../people/store.ts';
import { openProblems, type Problem } from '../problems/store.ts';
import { listWindows } from '../sources/windows-store.ts';
import { type HandoffChange, type HandoffFacts, MOST_LISTED } from './contract.ts';
import {
  addText,
  changesAt,
  dueHandoffs,
  type HandoffSchedule,
  insertNote,
  readFacts,
  shadowsAt,
  sinceWhen,
  takeDraft,
} from './store.ts';
import { noteText, subjectOf } from './words.ts';

const AT_ONCE = 20;

/**
 * Writes the notes of past hand-offs, and notifies the people who go off and on call, and those who learn with them.
 * Each hand-off has one note, even if several nodes run this. @returns whether there may be more
 */
export async function writeHandoffNotes({ db, clock }: { db: Database; clock: Clock }): Promise<boolean> {
  const due = await dueHandoffs(db, await clock.now(db), AT_ONCE);
  const failures: unknown[] = [];
  for (const handoff of due) {
    // One note that fails must not delay the others.
    const written = db.transaction().execute(async (tx) => writeNote(tx, await clock.now(tx), handoff));
    await written.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return due.length === AT_ONCE;
}

async function writeNote(
  tx: Tx,
  now: Temporal.Instant,
  { at, ...schedule }: HandoffSchedule & { at: Temporal.Instant },
): Promise<void> {
  const changes = await changesAt(tx, schedule.scheduleId, at);
  const since = await sinceWhen(tx, schedule.scheduleId, at);
  const facts = await handoffFacts(tx, schedule, { since, at, now, changes });
  const id = await insertNote(tx, now, { ...schedule, at, since, changes, facts });
  if (id === null) return;
  const draft = await takeDraft(tx, schedule.scheduleId);
  if (draft) await addText(tx, id, draft);
  const readers = [
    ...new Set([
      ...changes.flatMap(({ from, to }) => [...from, ...to]).map((person) => person.id),
      ...(await shadowsAt(tx, schedule.scheduleId, at)),
    ]),
  ];
  const people = await readersById(tx, schedule.organizationId, [
    ...readers,
    ...(draft?.writtenBy ? [draft.writtenBy] : []),
  ]);
  const note = {
    ...{ at, since, changes, facts },
    text: draft?.text ?? '',
    writer: people.get(draft?.writtenBy ?? '')?.name ?? null,
  };
  await queueNotices(tx, now, () =>
    readers.map((userId) => ({
      organizationId: schedule.organizationId,
      userId,
      kind: 'schedule.handed_off',
      subject: subjectOf(schedule.name, changes),
      text: noteText(note, people.get(userId)?.timeZone ?? 'UTC'),
      path: `/schedules/${schedule.scheduleId}/handoff/${id}`,
      dedupKey: `handoff ${id}`,
    })),
  );
}

/**
 * The service's information for the time between two hand-offs. Open pages, windows and problems are those of `now`.
 */
export async function handoffFacts(
  db: Handle,
  schedule: HandoffSchedule,
  {
    since,
    at,
    now,
    changes,
  }: {
    since: Temporal.Instant;
    at: Temporal.Instant;
    now: Temporal.Instant;
    changes: readonly HandoffChange[];
  },
): Promise<HandoffFacts> {
  const { organizationId, teamId, teamSlug } = schedule;
  const windows = await listWindows(db, now, { organizationId, userId: null }, { teamId, state: 'active' });
  const problems = await openProblems(db, organizationId);
  const incoming = new Set(changes.flatMap(({ to }) => to.map(({ id }) => id)));
  return {
    ...(await readFacts(db, schedule, { since, at })),
    windows: listed(
      windows.map(({ id, name, silence, endsAt }) => ({ id, name, silence, ends_at: instantText(endsAt) })),
    ),
    problems: listed(
      problems
        .filter((problem) => concerns(problem, teamSlug, incoming))
        .map(({ message, fix }) => ({ message, fix })),
    ),
  };
}

/** Problems of the team's webhooks and sources, of the people who begin, and of shared providers. */
function concerns({ webhook, person }: Problem, teamSlug: string, incoming: ReadonlySet<string>): boolean {
  if (webhook) return webhook.team.slug === teamSlug;
  return person === null || incoming.has(person.id);
}

function listed<Item>(all: readonly Item[]): { items: Item[]; more: number } {
  return { items: all.slice(0, MOST_LISTED), more: Math.max(0, all.length - MOST_LISTED) };
}
