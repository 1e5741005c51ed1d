import type { SavedAnswer } from '../local/saved-on-call.ts';
import { table } from '../output.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { createRemote, Passing } from './client.ts';
import { findScheduleId, type OnCallEntry, onCallsAt } from './schedules.ts';

/**
 * Prints who is on call in `schedule`, a name or an id, at a time. With `saved`, or if the server cannot answer, uses
 * the list that the server saved; `schedule` may then be null, for all schedules.
 */
export async function printOnCall(
  session: Session,
  schedule: string | null,
  at: Temporal.Instant,
  saved: boolean,
): Promise<void> {
  if (saved) return printSaved(session, schedule, at);
  if (schedule === null)
    throw new Refusal('Name a schedule, or add --saved to list all of those that the server saved.');
  const entries = await askServer(session, schedule, at).catch(async (error: unknown) => {
    if (!(error instanceof Passing) || error.status === 429) throw error;
    await printSavedInstead(session, schedule, at, error);
    return null;
  });
  if (entries === null) return;
  if (entries.length === 0)
    session.output.note('Nobody is on call. Pages go to the backstop of the schedule, if it has one.');
  session.output.result(table(entries.map(row)), entries);
}

async function askServer(session: Session, schedule: string, at: Temporal.Instant): Promise<OnCallEntry[]> {
  const remote = await createRemote(session);
  return onCallsAt(remote, await findScheduleId(remote, schedule), at);
}

/** Prints the saved list because the server cannot answer. Without a list, reports the server's failure. */
async function printSavedInstead(
  session: Session,
  schedule: string,
  at: Temporal.Instant,
  failure: Passing,
): Promise<void> {
  const { savedOnCall } = await import('../local/saved-on-call.ts');
  const answer = await savedOnCall(session, schedule, at).catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal(`${failure.message} ${error.message}`) : error;
  });
  session.output.note(failure.message);
  print(session, answer, answer.entries);
}

async function printSaved(session: Session, schedule: string | null, at: Temporal.Instant): Promise<void> {
  const { savedOnCall } = await import('../local/saved-on-call.ts');
  const answer = await savedOnCall(session, schedule, at);
  const { savedAt, entries, backstops } = answer;
  print(session, answer, { saved_at: savedAt, entries, backstops });
}

/** `json`: the result for programs. */
function print({ output }: Session, { note, several, entries, backstops }: SavedAnswer, json: unknown): void {
  output.note(note);
  if (entries.length === 0)
    output.note('Nobody is on call then; a page goes to the backstop, if there is one.');
  const placed = ({ schedule, organization }: { schedule: string; organization: string }) =>
    several ? [organization, schedule] : [schedule];
  output.result(
    table([
      ...entries.map((entry) => [...placed(entry), ...row(entry)]),
      ...backstops.map((one) => [
        ...placed(one),
        'backstop',
        one.user.name,
        one.user.email,
        '',
        methodsText(one),
      ]),
    ]),
    json,
  );
}

function row(entry: OnCallEntry): string[] {
  const { stage, user, start_time, end_time } = entry;
  return [`stage ${stage}`, user.name, user.email, `${start_time} to ${end_time}`, methodsText(entry)];
}

function methodsText({ user }: Pick<OnCallEntry, 'user'>): string {
  const methods = user.contact_methods.map(({ type, value }) => `${type} ${value}`).join(', ');
  return methods || 'no phone, email or chat';
}
