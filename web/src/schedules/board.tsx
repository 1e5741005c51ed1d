import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import { t } from '../language/t.ts';
import classes from './timeline.module.css';
import { type Dragging, type DraggingOptions, useDragging } from './use-dragging.ts';

/** What rows need to know about the shifts that can be reached by keyboard and dragged. */
export type OnBoard = { dragging: Dragging | null; movable: boolean; focused: string | null };

/** The rows of shifts: arrow keys go from one shift to the next, and managers drag shifts. */
export function Board({
  byPerson,
  drag,
  scroller,
  children,
}: {
  byPerson: boolean;
  /** Null: the viewer may not move shifts. */
  drag: DraggingOptions | null;
  scroller?: RefObject<HTMLDivElement | null>;
  children: (on: OnBoard) => ReactNode;
}) {
  const [focused, setFocused] = useState<string | null>(null);
  const { dragging, board, handlers, onKey } = useDragging(drag);
  const name = drag
    ? t('Shifts; arrow keys go from one to the next, M moves one')
    : t('Shifts; arrow keys go from one to the next');
  return (
    <div className={`card ${classes.scroller}`} ref={scroller}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form */}
      <div
        role="group"
        aria-label={name}
        ref={board}
        className={classes.inner}
        data-by={byPerson ? 'person' : 'stage'}
        data-dragging={dragging ? '' : undefined}
        {...handlers}
        onKeyDown={(event) => {
          if (onKey(event)) event.preventDefault();
          else moveFocus(event);
        }}
        onFocus={(event) => setFocused((event.target as HTMLElement).dataset.shift ?? null)}
      >
        {children({ dragging, movable: drag !== null, focused })}
      </div>
      {drag && <Says dragging={dragging} />}
    </div>
  );
}

const PART_WORDS = { whole: t('Move the whole shift'), start: t('Move the start'), end: t('Move the end') };

/** The times of the dragged shift, or the reason why it cannot be dropped there. */
function Says({ dragging }: { dragging: Dragging | null }) {
  const refusal = dragging && !dragging.lane ? dragging.drop.refusal : null;
  return (
    <div
      role="status"
      className={dragging ? classes.says : 'visually-hidden'}
      data-refused={refusal ? '' : undefined}
    >
      {dragging && (
        <>
          <b>{dragging.lane ? t('Drop it here to choose the times.') : (refusal ?? dragging.drop.says)}</b>
          {dragging.byKeys && (
            <span className="muted">
              {t('{part}: ← and →. Tab: all, start or end. Enter: drop. Esc: cancel.', {
                part: PART_WORDS[dragging.part],
              })}
            </span>
          )}
        </>
      )}
    </div>
  );
}

/** Arrow keys move the focus between the shifts of a row, and to the nearest shift of the row above or below. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const from = event.target as HTMLElement;
  if (!from.dataset.shift) return;
  const line = from.closest('ul');
  const lines = [...event.currentTarget.querySelectorAll('ul')].filter((one) =>
    one.querySelector('[data-shift]'),
  );
  const inLine = [...(line?.querySelectorAll<HTMLElement>('[data-shift]') ?? [])];
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step || !line) return;
  event.preventDefault();
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    inLine[inLine.indexOf(from) + step]?.focus();
    return;
  }
  const next = lines[lines.indexOf(line) + step];
  const at = from.getBoundingClientRect().left;
  const distance = (element: HTMLElement) => Math.abs(element.getBoundingClientRect().left - at);
  [...(next?.querySelectorAll<HTMLElement>('[data-shift]') ?? [])]
    .toSorted((a, b) => distance(a) - distance(b))[0]
    ?.focus();
}
