import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import type { Zone } from '../kit/zones.ts';
import { type Block, type Drop, dragged, dropOf, PARTS, type Part, stepMs } from './dragging.ts';
import type { View } from './window.ts';

/** A pointer that moves less than this is a click. */
const SLACK_PX = 6;
/** A finger that rests this long on a shift picks it up; one that moves before scrolls. */
const HOLD_MS = 400;
/** How near to its end a finger picks up the end of a shift. */
const FINGER_PX = 22;

/** What is dragged now. `lane`: another person's row that it is held over. `dropped`: the service is changing it. */
export type Dragging = {
  block: Block;
  part: Part;
  drop: Drop;
  byKeys: boolean;
  lane: string | null;
  dropped: boolean;
};

type Held = Pick<Dragging, 'block' | 'part'> & { x: number; y: number; at: number; lane: string | null };

export type DraggingOptions = {
  view: View;
  zone: Zone;
  now: number;
  /** Everything that is loaded, including outside the window. */
  shifts: readonly TimelineShift[];
  /** Null for what cannot be dragged. */
  blockOf: (shift: TimelineShift) => Block | null;
  /** Something was picked up. */
  picked: () => void;
  /** Changes the shifts; settles once they are shown. */
  drop: (drop: Drop) => Promise<unknown>;
  /** Something was dropped at a time where it cannot be. */
  refused: (why: string) => void;
  /** A shift was dropped on the row of another person. */
  moved: (shift: TimelineShift, personId: string) => void;
};

/**
 * Moves and resizes shifts by mouse, pen, finger and keyboard. Rows carry `data-from` and `data-to` (and `data-lane`, the
 * person), shifts `data-shift`, and their ends `data-edge`. Nothing changes before a drop; Escape puts everything back.
 */
export function useDragging(options: DraggingOptions | null) {
  const [dragging, setDragging] = useState<Dragging | null>(null);
  // Refs, because events arrive before the last state is rendered.
  const current = useRef<Dragging | null>(null);
  const held = useRef<Held | null>(null);
  const holding = useRef<number | undefined>(undefined);
  const suppressClick = useRef(false);
  const board = useRef<HTMLDivElement>(null);

  const show = (next: Dragging | null) => {
    current.current = next;
    setDragging(next);
  };
  const end = () => {
    window.clearTimeout(holding.current);
    held.current = null;
    if (!current.current?.dropped) show(null);
  };
  useEffect(() => {
    const element = board.current;
    // React listens passively, and a passive listener cannot keep the finger from scrolling.
    const hold = (event: TouchEvent) => current.current && event.cancelable && event.preventDefault();
    const cancel = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || !current.current || current.current.dropped) return;
      event.stopPropagation();
      end();
    };
    element?.addEventListener('touchmove', hold, { passive: false });
    window.addEventListener('keydown', cancel, { capture: true });
    return () => {
      element?.removeEventListener('touchmove', hold);
      window.removeEventListener('keydown', cancel, { capture: true });
    };
  });
  // Not in the effect above, which runs after each render: a finger may rest on a shift while new data arrives.
  useEffect(() => () => window.clearTimeout(holding.current), []);
  if (!options) return { dragging: null, board, handlers: {}, onKey: () => false };
  const { view, zone, now, shifts, blockOf, picked, moved, refused } = options;

  const blockAt = (target: EventTarget) => {
    const id = (target as HTMLElement).closest<HTMLElement>('[data-shift]')?.dataset.shift;
    const shift = shifts.find((one) => one.id === id);
    return shift ? blockOf(shift) : null;
  };
  const start = (block: Block, part: Part, byKeys: boolean) => {
    picked();
    show({
      ...{ block, part, byKeys, lane: null, dropped: false },
      drop: dropOf(block, block, shifts, { now, zone }),
    });
  };
  const place = (block: Block, part: Part, by: number, lane: string | null) => {
    const span = lane ? block : dragged(block, part, by, view, zone);
    const drop = dropOf(block, span, shifts, { now, zone });
    if (current.current) show({ ...current.current, block, part, drop, lane });
  };
  const release = async () => {
    const last = current.current;
    held.current = null;
    window.clearTimeout(holding.current);
    if (!last || last.dropped) return;
    const { block, lane } = last;
    const drop = dropOf(block, last.drop, shifts, { now, zone });
    const isUnchanged = drop.from === block.from && drop.to === block.to;
    if (lane) {
      const shift = shifts.find(({ id }) => id === block.id);
      show(null);
      if (shift) moved(shift, lane);
    } else if (isUnchanged) show(null);
    else if (drop.refusal) {
      show(null);
      refused(drop.refusal);
    } else {
      show({ ...last, drop, dropped: true });
      await options.drop(drop).catch(() => undefined);
      show(null);
    }
  };

  return {
    dragging,
    board,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        suppressClick.current = false;
        if (event.button !== 0 || event.shiftKey || !event.isPrimary || current.current) return;
        const block = blockAt(event.target);
        if (!block) return;
        const touch = event.pointerType === 'touch';
        const part = partAt(event, touch);
        const at = timeUnder(event, event.currentTarget);
        if (at === null) return;
        held.current = { block, part, x: event.clientX, y: event.clientY, at, lane: laneAt(event) };
        if (!touch) return;
        holding.current = window.setTimeout(() => {
          suppressClick.current = true;
          navigator.vibrate?.(15);
          start(block, part, false);
        }, HOLD_MS);
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const from = held.current;
        if (!from) return;
        const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) >= SLACK_PX;
        if (!current.current) {
          if (!far) return;
          if (event.pointerType === 'touch') return end();
          event.currentTarget.setPointerCapture(event.pointerId);
          suppressClick.current = true;
          start(from.block, from.part, false);
        }
        const at = timeUnder(event, event.currentTarget);
        if (at === null) return;
        const lane = laneAt(event);
        const isOther = from.part === 'whole' && lane !== null && lane !== from.lane;
        place(from.block, from.part, at - from.at, isOther ? lane : null);
      },
      onPointerUp: () => void release(),
      onPointerCancel: end,
      onContextMenu(event: { preventDefault(): void }) {
        if (held.current) event.preventDefault();
      },
      onClickCapture(event: { stopPropagation(): void }) {
        if (suppressClick.current) event.stopPropagation();
        suppressClick.current = false;
      },
      onBlur() {
        if (current.current?.byKeys) end();
      },
    },
    /** True if the key belongs to a drag: M picks up the shift with the focus, arrows move it, Enter drops it. */
    onKey(event: KeyboardEvent<HTMLElement>): boolean {
      const last = current.current;
      if (!last?.byKeys) {
        if (event.key !== 'm' || event.ctrlKey || event.metaKey || event.altKey || last) return false;
        const block = blockAt(event.target);
        if (block) start(block, 'whole', true);
        return block !== null;
      }
      if (last.dropped) return true;
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) {
        const edge = last.part === 'end' ? 'to' : 'from';
        place(last.block, last.part, last.drop[edge] - last.block[edge] + step * stepMs(view), null);
      } else if (event.key === 'Tab') {
        const next = PARTS[(PARTS.indexOf(last.part) + (event.shiftKey ? 2 : 1)) % PARTS.length] ?? 'whole';
        place(last.block, next, 0, null);
      } else if (event.key === 'Enter' || event.key === ' ') void release();
      return true;
    },
  };
}

function laneAt({ clientX, clientY }: PointerEvent<HTMLElement>): string | null {
  const under = document.elementFromPoint(clientX, clientY);
  return under?.closest<HTMLElement>('[data-lane]')?.dataset.lane ?? null;
}

/** The end of a shift under the pointer, or all of it. */
function partAt(event: PointerEvent<HTMLElement>, touch: boolean): Part {
  const target = event.target as HTMLElement;
  if (!touch) return (target.closest<HTMLElement>('[data-edge]')?.dataset.edge as Part) ?? 'whole';
  const box = target.closest('[data-shift]')?.getBoundingClientRect();
  if (!box) return 'whole';
  const near = Math.min(FINGER_PX, box.width / 3);
  if (event.clientX - box.left < near) return 'start';
  return box.right - event.clientX < near ? 'end' : 'whole';
}

/** The time under a pointer, in the row at its height, or the nearest one. */
function timeUnder({ clientX, clientY }: PointerEvent<HTMLElement>, board: HTMLElement): number | null {
  const rows = [...board.querySelectorAll<HTMLElement>('[data-from]')];
  const away = (row: HTMLElement) => {
    const { top, bottom } = row.getBoundingClientRect();
    return Math.max(0, top - clientY, clientY - bottom);
  };
  const row = rows.toSorted((a, b) => away(a) - away(b))[0];
  if (!row) return null;
  const { left, width } = row.getBoundingClientRect();
  const [from, to] = [Number(row.dataset.from), Number(row.dataset.to)] as const;
  return from + Math.min(1, Math.max(0, (clientX - left) / width)) * (to - from);
}
