import { type PointerEvent, useRef, useState } from 'react';
import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';

const SLACK_PX = 8;

/**
 * Moves a shift to another person by dragging it to their row. Rows carry `data-lane`, shifts `data-shift`. Calls
 * `moved` when a shift is dropped on a row other than its own.
 */
export function useMoving(
  shifts: readonly TimelineShift[],
  moved: ((shift: TimelineShift, lane: string) => void) | null,
) {
  const [target, setTarget] = useState<string | null>(null);
  const held = useRef<{ shift: TimelineShift; lane: string; y: number; over: string | null } | null>(null);
  const dragged = useRef(false);

  const end = () => {
    held.current = null;
    setTarget(null);
  };
  if (!moved) return { target: null, handlers: {} };
  return {
    target,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        dragged.current = false;
        if (event.pointerType === 'touch' || event.button !== 0) return;
        const id = (event.target as HTMLElement).closest<HTMLElement>('[data-shift]')?.dataset.shift;
        const shift = shifts.find((one) => one.id === id);
        const lane = laneAt(event);
        if (shift && lane) held.current = { shift, lane, y: event.clientY, over: null };
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const holding = held.current;
        if (!holding || (!dragged.current && Math.abs(event.clientY - holding.y) < SLACK_PX)) return;
        dragged.current = true;
        const lane = laneAt(event);
        holding.over = lane === holding.lane ? null : lane;
        setTarget(holding.over);
      },
      onPointerUp() {
        if (held.current?.over) moved(held.current.shift, held.current.over);
        end();
      },
      onPointerCancel: end,
      onClickCapture(event: { stopPropagation(): void }) {
        if (dragged.current) event.stopPropagation();
        dragged.current = false;
      },
    },
  };
}

function laneAt({ clientX, clientY }: PointerEvent<HTMLElement>): string | null {
  const under = document.elementFromPoint(clientX, clientY);
  return under?.closest<HTMLElement>('[data-lane]')?.dataset.lane ?? null;
}
