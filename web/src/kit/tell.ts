import { notifications } from '@mantine/notifications';

const closeButtonProps = { 'aria-label': 'Close' };

/**
 * There is room for a few words at a time, and the others wait: what went wrong or can be taken back goes before what was done, and
 * that before news.
 */
export const PRIORITY = { urgent: 2, done: 1 } as const;

/** A word in the corner about what was done. */
export function tell(message: string): void {
  notifications.show({
    message,
    priority: PRIORITY.done,
    autoClose: 4_000,
    withBorder: true,
    closeButtonProps,
  });
}

export function tellFailure(error: Error): void {
  notifications.show({
    title: 'That did not work',
    message: error.message,
    priority: PRIORITY.urgent,
    color: 'red',
    autoClose: 10_000,
    withBorder: true,
    closeButtonProps,
  });
}
