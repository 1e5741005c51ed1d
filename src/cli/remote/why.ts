import type { ReasonAnswer, ShiftReason } from '../../planning/plan-api-contract.ts';
import type { ScheduleTimeline, TimelineShift } from '../../schedules/timeline-contract.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { createRemote, type Remote } from './client.ts';
import { findScheduleId } from './schedules.ts';

type Explained = { shift: TimelineShift; reason: ShiftReason | null };

/** Prints who is on call in `schedule`, a name or an id, at a time, and why: one block of sentences for each shift. */
export async function printWhy(
  session: Session,
  schedule: string | null,
  at: Temporal.Instant,
): Promise<void> {
  if (schedule === null) throw new Refusal('--why needs a schedule; name one.');
  const remote = await createRemote(session);
  const id = await findScheduleId(remote, schedule);
  // The shortest possible range, because shifts begin and end at whole milliseconds.
  const range = new URLSearchParams({ from: String(at), to: String(at.add({ milliseconds: 1 })) });
  const timeline = await remote.get(`/api/schedules/${encodeURIComponent(id)}/shifts?${range}`);
  const { shifts } = timeline as ScheduleTimeline;
  const explained = await Promise.all(shifts.map((shift) => explain(remote, shift)));
  if (explained.length === 0) session.output.note('Nobody is on call at that time.');
  session.output.result(explained.map(textOf).join('\n\n'), explained);
}

async function explain(remote: Remote, shift: TimelineShift): Promise<Explained> {
  if (!shift.planned) return { shift, reason: null };
  const answer = await remote.get(`/api/shifts/${encodeURIComponent(shift.id)}/reason`);
  return { shift, reason: (answer as ReasonAnswer).reason };
}

function textOf({ shift, reason }: Explained): string {
  const { stage, person, starts_at, ends_at } = shift;
  return [
    `stage ${stage}  ${person?.name ?? 'nobody'}  ${starts_at} to ${ends_at}`,
    ...overrideText(shift),
    ...(reason ? [reason.sentence] : []),
    ...[...(reason?.others ?? []), ...(reason?.refused ?? [])].map(({ sentence }) => sentence),
  ].join('\n  ');
}

function overrideText({ override, planned, person }: TimelineShift): string[] {
  if (!override) return [];
  const before = planned ? `; ${planned.person?.name ?? 'nobody'} was planned` : '';
  return [`${person?.name ?? 'Nobody'} is on call because of an override${before}.`];
}
