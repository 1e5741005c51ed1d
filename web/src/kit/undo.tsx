import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { t } from '../language/t.ts';
import { PRIORITY, showFailure } from './toast.ts';

const LONG_ENOUGH_MS = 8_000;

/** Of toasts with the same priority, the oldest would be shown. */
const NEWER = 1e-6;

let last: string | null = null;
let newest = 0;

/** A toast with an undo button. It replaces the previous one, which can then no longer be undone. */
export function showUndo(message: string, undo: () => Promise<unknown>): void {
  if (last !== null) notifications.hide(last);
  last = show(message, undo, { autoClose: LONG_ENOUGH_MS });
}

/**
 * A toast with an undo button that lasts for `ms`, whatever happens meanwhile. If there are more than fit on the screen,
 * the newest are shown, and the others again once there is room.
 */
export function showUndoFor(ms: number, message: string, undo: () => Promise<unknown>): void {
  newest += NEWER;
  // Not by the toast itself, whose time would begin again when it is shown again.
  const id = show(message, undo, { autoClose: false, priority: PRIORITY.undo + newest });
  window.setTimeout(() => notifications.hide(id), ms);
}

function show(
  message: string,
  undo: () => Promise<unknown>,
  shown: { autoClose: number | false; priority?: number },
): string {
  const id = notifications.show({
    priority: PRIORITY.undo,
    ...shown,
    withBorder: true,
    closeButtonProps: { 'aria-label': t('Close') },
    message: (
      <span className="row wrap">
        <span className="grow" style={{ minWidth: 'min(100%, 180px)' }}>
          {message}
        </span>
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
