import { spanText } from '../schedules/span-text.ts';
import type { Acting, Rota } from './acting.ts';
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
  const word = { 'swap.asked': 'asks', 'swap.declined': 'declined', 'swap.withdrawn': 'took back' }[kind];
  const readers = kind === 'swap.declined' ? [given.userId] : [wanted.userId, given.userId];
  const notices = readers
    .filter((userId) => userId !== viewer.userId)
    .map((userId) => {
      const part = (side: SwapSide) => `stage ${side.stage}, ${spanText(side, zoneOf(userId))}`;
      const what = `${nameOf(given.userId)}'s shift (${part(given)}) for ${nameOf(wanted.userId)}'s (${part(wanted)})`;
      const said = note === '' || kind !== 'swap.asked' ? '' : ` “${note}”`;
      const text =
        kind === 'swap.asked'
          ? `${nameOf(viewer.userId)} asks to swap ${what}.${said} Agree or decline in the dashboard.`
          : `${nameOf(viewer.userId)} ${word} the swap of ${what}. Everything stays as it is.`;
      return {
        userId,
        kind,
        subject: `${nameOf(viewer.userId)} ${word} ${kind === 'swap.asked' ? 'to swap shifts' : 'a swap'}`,
        text,
      };
    });
  await queueShiftNotices(tx, at, schedule, notices);
}
