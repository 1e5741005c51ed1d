import { type DragEvent, useState } from 'react';

/** Reorders a list by dragging its rows, or by the arrow keys on their handles. */
export function useDragging(ids: readonly string[], order: (ids: string[]) => void) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);

  function move(id: string, to: number): void {
    const others = ids.filter((one) => one !== id);
    const place = Math.max(0, Math.min(others.length, to));
    const next = [...others.slice(0, place), id, ...others.slice(place)];
    if (next.some((one, index) => one !== ids[index])) order(next);
  }

  const end = () => {
    setDragged(null);
    setOver(null);
  };
  return {
    /** The row over which another one is dragged. */
    over: dragged === over ? null : over,
    /** One position up (-1) or down (1). */
    step: (id: string, by: -1 | 1) => move(id, ids.indexOf(id) + by),
    line: (id: string) => ({
      draggable: true,
      onDragStart(event: DragEvent) {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', id);
        setDragged(id);
      },
      onDragOver(event: DragEvent) {
        if (dragged === null) return;
        event.preventDefault();
        setOver(id);
      },
      onDrop(event: DragEvent) {
        event.preventDefault();
        if (dragged !== null) move(dragged, ids.indexOf(id));
        end();
      },
      onDragEnd: end,
    }),
  };
}
