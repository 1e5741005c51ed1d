import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { overridesApi } from '../../../src/covers/api-contract.ts';
import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import { send } from '../api/call.ts';
import { inClock } from '../kit/time.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { showUndo } from '../kit/undo.tsx';
import { t } from '../language/t.ts';
import { blockOf, type Drop } from './dragging.ts';
import { overridesQuery, type Span, timelineQuery } from './queries.ts';
import type { DraggingOptions } from './use-dragging.ts';
import type { ScheduleWindow } from './use-schedule-window.ts';

/** Longer than the longest shift: the neighbour of a shift at the edge of the window is within this time. */
const AROUND_DAYS = 36;

/** What dragging needs and does on the board of a schedule; null for viewers who may not move shifts. */
export function useDrops(
  scheduleId: string,
  { view, zone, span }: ScheduleWindow,
  now: number,
  shown: readonly TimelineShift[],
  moved: ((shift: TimelineShift, personId: string) => void) | null,
): DraggingOptions | null {
  const client = useQueryClient();
  const [isPicked, setPicked] = useState(false);
  const enabled = moved !== null;
  const overrides = useQuery({ ...overridesQuery(scheduleId, span), enabled }).data?.overrides;
  const wide: Span = { from: zone.addDays(span.from, -AROUND_DAYS), to: zone.addDays(span.to, AROUND_DAYS) };
  const around = useQuery({ ...timelineQuery(scheduleId, wide), enabled: enabled && isPicked });
  if (!moved || !overrides) return null;
  const refresh = () => client.invalidateQueries({ queryKey: ['schedules'] });
  const change = (body: Pick<Drop, 'add' | 'remove'>) =>
    send(overridesApi.change, { params: { id: scheduleId }, body });
  return {
    ...{ view, zone, now, moved },
    shifts: [...new Map([...(around.data?.shifts ?? []), ...shown].map((one) => [one.id, one])).values()],
    blockOf: (shift) => (Date.parse(shift.ends_at) <= now ? null : blockOf(shift, overrides)),
    picked: () => setPicked(true),
    refused: (why) => showToast(`${t('Nothing was changed.')} ${why}`),
    drop: async ({ add, remove, says }) => {
      try {
        const { added, removed, warnings } = await change({ add, remove });
        showUndo([says, ...warnings.map(inClock)].join(' '), async () => {
          await change({
            remove: added.map(({ id }) => id),
            add: removed.map(({ stage, seat, user, starts_at, ends_at }) => ({
              ...{ stage, seat, user: user.id, starts_at, ends_at },
            })),
          });
          await refresh();
        });
        await refresh();
      } catch (error) {
        // The board shows the shifts as they were, so it takes the next key or drag at once.
        showFailure(error as Error);
        void refresh();
      }
    },
  };
}
