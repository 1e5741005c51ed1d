import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { Zone } from '../kit/zones.ts';

/** First and last day, both included, each as its first instant. */
export type DayRange = { first: number; last: number };
/** In the order in which they were selected. */
type Ends = { anchor: number; end: number };

/**
 * Selects days of a calendar: a range by dragging with a mouse or by Shift and the arrow keys, a single day by a click,
 * a tap or Enter. Days carry `data-day` with their first instant.
 */
export function useDayRange(zone: Zone, today: number, done: (range: DayRange) => void) {
  const [range, show] = useState<Ends | null>(null);
  // A ref, because the button may be released before the last state is rendered.
  const latest = useRef<Ends | null>(null);
  const [focus, setFocus] = useState(today);
  const dragging = useRef(false);
  const setRange = (next: Ends | null) => {
    latest.current = next;
    show(next);
  };

  const finish = (chosen: DayRange) => {
    dragging.current = false;
    setRange(null);
    done(chosen);
  };

  function goTo(from: EventTarget & HTMLElement, day: number): void {
    setFocus(day);
    const calendar = from.closest('[data-calendar]');
    queueMicrotask(() => calendar?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus());
  }

  return {
    chosen: range && inOrder(range),
    /** The day in the tab order (roving tabindex). */
    focus,
    setFocus,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        const day = dayAt(event);
        if (day === null || event.pointerType === 'touch' || event.button !== 0) return;
        dragging.current = true;
        setRange({ anchor: day, end: day });
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const day = dragging.current ? dayAt(event) : null;
        if (day !== null) setRange({ anchor: latest.current?.anchor ?? day, end: day });
      },
      onPointerUp() {
        if (dragging.current && latest.current) finish(inOrder(latest.current));
      },
      onPointerLeave() {
        dragging.current = false;
        setRange(null);
      },
      onClick(event: { target: EventTarget; detail: number }) {
        // A mouse selection was completed by its pointerup; this click came from a finger or a key.
        const day = Number((event.target as HTMLElement).closest<HTMLElement>('[data-day]')?.dataset.day);
        if (Number.isFinite(day) && day > 0 && (event.detail === 0 || isTouch(event)))
          finish(latest.current && event.detail === 0 ? inOrder(latest.current) : { first: day, last: day });
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        const day = Number((event.target as HTMLElement).dataset.day);
        const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
        if (!step || !day) {
          if (event.key === 'Escape') setRange(null);
          return;
        }
        event.preventDefault();
        const next = zone.addDays(day, step);
        setRange(event.shiftKey ? { anchor: latest.current?.anchor ?? day, end: next } : null);
        goTo(event.target as HTMLElement, next);
      },
    },
  };
}

function inOrder({ anchor, end }: Ends): DayRange {
  return { first: Math.min(anchor, end), last: Math.max(anchor, end) };
}

function dayAt({ clientX, clientY, target }: PointerEvent<HTMLElement>): number | null {
  if ((target as HTMLElement).closest('[data-record]')) return null;
  const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-day]');
  return under ? Number(under.dataset.day) : null;
}

function isTouch(event: object): boolean {
  return 'nativeEvent' in event && (event.nativeEvent as { pointerType?: string }).pointerType === 'touch';
}
