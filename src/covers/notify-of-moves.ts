import { t } from '../language/contract.ts';
import { spanText } from '../schedules/span-text.ts';
import type { Acting, Rota } from './acting.ts';
import type { ShiftNotice } from './notice-texts.ts';
import { noticeContext, queueShiftNotices } from './notify.ts';
import type { StoredMove } from './store.ts';

/** Notifies the people who gain and lose shifts by a manual change, except the person who made it. */
export async function notifyOfMoves(
  { tx, at, viewer }: Acting,
  { schedule }: Rota,
  moves: readonly StoredMove[],
): Promise<void> {
  const ids = [viewer.userId, ...moves.flatMap(({ gains, loses }) => [gains, loses ?? gains])];
  const { nameOf, zoneOf } = await noticeContext(tx, schedule, ids);
  const by = nameOf(viewer.userId);
  const noticesOf = (move: StoredMove): ShiftNotice[] => {
    const where = (reader: string) =>
      t('{schedule}, stage {stage}, {span}', {
        ...{ schedule: schedule.name, stage: move.stage },
        span: spanText(move, zoneOf(reader)),
      });
    const gained = { where: where(move.gains), other: nameOf(move.loses), by };
    const gains = {
      userId: move.gains,
      kind: 'shift.gained',
      subject: t('You are on call in {schedule}', { schedule: schedule.name }),
      text:
        move.loses === null
          ? t('You are on call in {where}. {by} arranged it.', gained)
          : t('You are on call in {where} instead of {other}. {by} arranged it.', gained),
    };
    if (move.loses === null) return [gains];
    const loses = {
      userId: move.loses,
      kind: 'shift.lost',
      subject: t('{who} takes your shift in {schedule}', {
        who: nameOf(move.gains),
        schedule: schedule.name,
      }),
      text: t('{who} is on call instead of you in {where}. {by} arranged it.', {
        ...{ who: nameOf(move.gains), where: where(move.loses), by },
      }),
    };
    return [gains, loses];
  };
  await queueShiftNotices(tx, at, schedule, () =>
    moves.flatMap(noticesOf).filter(({ userId }) => userId !== viewer.userId),
  );
}
