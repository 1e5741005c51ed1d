import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { t } from '../language/t.ts';
import { PRIORITY, showFailure } from './toast.ts';

const LONG_ENOUGH_MS = 8_000;

let last: string | null = null;

/** A toast with an undo button. It replaces the previous one, which can then no longer be undone. */
export function showUndo(message: string, undo: () => Promise<unknown>): void {
  if (last !== null) notifications.hide(last);
  last = show(message, undo, LONG_ENOUGH_MS);
}

/** A toast with an undo button that stays for `ms`, whatever happens meanwhile. */
export function showUndoFor(ms: number, message: string, undo: () => Promise<unknown>): void {
  show(message, undo, ms);
}

function show(message: string, undo: () => Promise<unknown>, autoClose: number): string {
  const id = notifications.show({
    priority: PRIORITY.urgent,
    autoClose,
    withBorder: true,
    closeButtonProps: { 'aria-label': t('Close') },
    message: (
      <span className="row">
        <span className="grow">{message}</span>
        <Button
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo().catch(showFailure);
          }}
        >
          {t('Undo')}
        </Button>
      </span>
    ),
  });
  return id;
}
