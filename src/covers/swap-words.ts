import { t } from '../language/contract.ts';
import { stagePeriodText } from '../schedules/span-text.ts';
import type { SwapSide } from './store.ts';

/** `Ada gives stage 1, Tue 24 Nov 09:00 to …, and takes stage 2, … from Grace (times in Europe/Berlin).`, in one zone. */
export function swapSentence(
  { given, wanted }: { given: SwapSide; wanted: SwapSide },
  nameOf: (userId: string) => string,
  timeZone: string,
): string {
  return t('{one} gives {given}, and takes {wanted} from {other} (times in {zone}).', {
    ...{ one: nameOf(given.userId), given: stagePeriodText(given, timeZone) },
    ...{ other: nameOf(wanted.userId), wanted: stagePeriodText(wanted, timeZone) },
    zone: timeZone,
  });
}
