import { type PointerEvent, useRef, useState } from 'react';

/** A pointer that moves less than this is a click. */
const SLACK_PX = 6;

/** A part of a row, from 0 to 1. */
export type Stretch = { from: number; to: number };

/**
 * Marks a stretch of a row by dragging along it with a mouse or pen; touch scrolls. Calls `done` when the pointer is
 * released. Shifts in the row remain clickable and can be dragged; with Shift, the time below them is marked.
 */
export function useMarking(done: ((stretch: Stretch) => void) | null) {
  const [mark, setMark] = useState<Stretch | null>(null);
  // A ref, because the pointer may be released before the last state is rendered.
  const marked = useRef<Stretch | null>(null);
  const start = useRef<{ x: number; at: number } | null>(null);
  const moved = useRef(false);

  function placeOf(event: PointerEvent<HTMLElement>): number {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
  }

  const end = () => {
    start.current = null;
    marked.current = null;
    setMark(null);
  };
  if (!done) return { mark: null, handlers: {} };
  return {
    mark,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        moved.current = false;
        if (event.pointerType === 'touch' || event.button !== 0) return;
        const isOnShift = (event.target as HTMLElement).closest('[data-shift]:not([data-gap])') !== null;
        if (isOnShift && !event.shiftKey) return;
        start.current = { x: event.clientX, at: placeOf(event) };
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const from = start.current;
        if (!from || (!moved.current && Math.abs(event.clientX - from.x) < SLACK_PX)) return;
        if (!moved.current) event.currentTarget.setPointerCapture(event.pointerId);
        moved.current = true;
        const at = placeOf(event);
        marked.current = { from: Math.min(from.at, at), to: Math.max(from.at, at) };
        setMark(marked.current);
      },
      onPointerUp() {
        if (moved.current && marked.current) done(marked.current);
        end();
      },
      onPointerCancel: end,
      onClickCapture(event: { stopPropagation(): void }) {
        if (moved.current) event.stopPropagation();
        moved.current = false;
      },
    },
  };
}
