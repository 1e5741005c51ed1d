import { notifications } from '@mantine/notifications';
import { t } from '../language/t.ts';

const closeButtonProps = { 'aria-label': t('Close') };

/**
 * Only a few toasts are shown at a time. Failures come first, then toasts with an undo button, then results, then
 * notices.
 */
export const PRIORITY = { failure: 3, undo: 2, done: 1 } as const;

/** A toast about something that was done. */
export function showToast(message: string): void {
  notifications.show({
    message,
    priority: PRIORITY.done,
    autoClose: 4_000,
    withBorder: true,
    closeButtonProps,
  });
}

export function showFailure(error: Error): void {
  notifications.show({
    title: t('That did not work'),
    message: error.message,
    priority: PRIORITY.failure,
    color: 'red',
    autoClose: 10_000,
    withBorder: true,
    closeButtonProps,
  });
}
