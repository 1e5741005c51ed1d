import { t } from '../language/contract.ts';
import { spanText } from '../schedules/span-text.ts';
import type { Acting, Rota } from './acting.ts';
import type { ShiftNotice } from './notice-texts.ts';
import { noticeContext, queueShiftNotices } from './notify.ts';
import type { SwapSide } from './swap-store.ts';

type SwapChange = {
  kind: 'swap.asked' | 'swap.declined' | 'swap.withdrawn';
  id: string;
  given: SwapSide;
  wanted: SwapSide;
  note: string;
};

/** Notifies the other side of a swap, and the person on whose behalf it was proposed. */
export async function notifyOfSwap(
  { tx, at, viewer }: Acting,
  { schedule }: Rota,
  { kind, given, wanted, note }: SwapChange,
): Promise<void> {
  const { nameOf, zoneOf } = await noticeContext(tx, schedule, [given.userId, wanted.userId, viewer.userId]);
  const readers = kind === 'swap.declined' ? [given.userId] : [wanted.userId, given.userId];
  const noticeTo = (userId: string): ShiftNotice => {
    const part = (side: SwapSide) =>
      t('stage {stage}, {span}', { stage: side.stage, span: spanText(side, zoneOf(userId)) });
    const values = {
      ...{ who: nameOf(viewer.userId), one: nameOf(given.userId), other: nameOf(wanted.userId) },
      ...{ given: part(given), wanted: part(wanted), note },
    };
    return { userId, kind, ...swapWords(kind, values) };
  };
  await queueShiftNotices(tx, at, schedule, () =>
    readers.filter((userId) => userId !== viewer.userId).map(noticeTo),
  );
}

type SwapValues = Record<'who' | 'one' | 'other' | 'given' | 'wanted' | 'note', string>;

function swapWords(kind: SwapChange['kind'], values: SwapValues): { subject: string; text: string } {
  if (kind === 'swap.asked') {
    return {
      subject: t('{who} asks to swap shifts', values),
      text:
        values.note === ''
          ? t(
              "{who} asks to swap {one}'s shift ({given}) for {other}'s ({wanted}). Agree or decline in the dashboard.",
              values,
            )
          : t(
              "{who} asks to swap {one}'s shift ({given}) for {other}'s ({wanted}). “{note}” Agree or decline in the dashboard.",
              values,
            ),
    };
  }
  if (kind === 'swap.declined') {
    return {
      subject: t('{who} declined a swap', values),
      text: t(
        "{who} declined the swap of {one}'s shift ({given}) for {other}'s ({wanted}). Everything stays as it is.",
        values,
      ),
    };
  }
  return {
    subject: t('{who} took back a swap', values),
    text: t(
      "{who} took back the swap of {one}'s shift ({given}) for {other}'s ({wanted}). Everything stays as it is.",
      values,
    ),
  };
}
