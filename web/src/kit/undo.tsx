import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { PRIORITY, tellFailure } from './tell.ts';

const LONG_ENOUGH_MS = 8_000;

let last: string | null = null;

/** A word in the corner about what was done, and the way back; what was done before that is done for good. */
export function tellUndo(message: string, undo: () => Promise<unknown>): void {
  if (last !== null) notifications.hide(last);
  last = showUndo(message, undo, LONG_ENOUGH_MS);
}

/** The same for what can be undone for so long, whatever is done meanwhile. */
export function tellUndoFor(ms: number, message: string, undo: () => Promise<unknown>): void {
  showUndo(message, undo, ms);
}

function showUndo(message: string, undo: () => Promise<unknown>, autoClose: number): string {
  const id = notifications.show({
    priority: PRIORITY.urgent,
    autoClose,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
    message: (
      <span className="row">
        <span className="grow">{message}</span>
        <Button
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo().catch(tellFailure);
          }}
        >
          Undo
        </Button>
      </span>
    ),
  });
  return id;
}
