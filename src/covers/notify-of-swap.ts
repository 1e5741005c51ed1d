import { t } from '../language/contract.ts';
import type { Acting, Rota } from './acting.ts';
import type { ShiftNotice } from './notice-texts.ts';
import { noticeContext, queueShiftNotices } from './notify.ts';
import type { SwapSide } from './store.ts';
import { swapSentence } from './swap-words.ts';

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
  const who = nameOf(viewer.userId);
  const noticeTo = (userId: string): ShiftNotice => {
    const swap = swapSentence({ given, wanted }, nameOf, zoneOf(userId));
    return { userId, kind, ...swapWords(kind, { who, swap, note }) };
  };
  await queueShiftNotices(tx, at, schedule, () =>
    readers.filter((userId) => userId !== viewer.userId).map(noticeTo),
  );
}

type SwapValues = Record<'who' | 'swap' | 'note', string>;

function swapWords(kind: SwapChange['kind'], values: SwapValues): { subject: string; text: string } {
  if (kind === 'swap.asked') {
    return {
      subject: t('{who} asks to swap shifts', values),
      text:
        values.note === ''
          ? t('{who} proposes this swap: {swap} Accept or decline it in the dashboard.', values)
          : t('{who} proposes this swap: {swap} “{note}” Accept or decline it in the dashboard.', values),
    };
  }
  if (kind === 'swap.declined') {
    return {
      subject: t('{who} declined a swap', values),
      text: t('{who} declined this swap: {swap} Nothing changes.', values),
    };
  }
  return {
    subject: t('{who} withdrew a swap', values),
    text: t('{who} withdrew this swap: {swap} Nothing changes.', values),
  };
}
