import { spanText } from '../schedules/span-text.ts';
import type { Acting, Rota } from './acting.ts';
import type { StoredMove } from './cover-store.ts';
import type { ShiftNotice } from './notice-texts.ts';
import { noticeContext, queueShiftNotices } from './notify.ts';

/** Notifies the people who gain and lose shifts by a manual change, except the person who made it. */
export async function notifyOfMoves(
  { tx, at, viewer }: Acting,
  { schedule }: Rota,
  moves: readonly StoredMove[],
): Promise<void> {
  const ids = [viewer.userId, ...moves.flatMap(({ gains, loses }) => [gains, loses ?? gains])];
  const { nameOf, zoneOf } = await noticeContext(tx, schedule, ids);
  const by = nameOf(viewer.userId);
  const notices = moves.flatMap((move): ShiftNotice[] => {
    const where = (reader: string) =>
      `${schedule.name}, stage ${move.stage}, ${spanText(move, zoneOf(reader))}`;
    const instead = move.loses === null ? '' : ` instead of ${nameOf(move.loses)}`;
    const gains = {
      userId: move.gains,
      kind: 'shift.gained',
      subject: `You are on call in ${schedule.name}`,
      text: `You are on call in ${where(move.gains)}${instead}. ${by} arranged it.`,
    };
    if (move.loses === null) return [gains];
    const loses = {
      userId: move.loses,
      kind: 'shift.lost',
      subject: `${nameOf(move.gains)} takes your shift in ${schedule.name}`,
      text: `${nameOf(move.gains)} is on call instead of you in ${where(move.loses)}. ${by} arranged it.`,
    };
    return [gains, loses];
  });
  await queueShiftNotices(
    tx,
    at,
    schedule,
    notices.filter(({ userId }) => userId !== viewer.userId),
  );
}
