import { notifications } from '@mantine/notifications';

const closeButtonProps = { 'aria-label': 'Close' };

/** A word in the corner about what was done. */
export function tell(message: string): void {
  notifications.show({ message, autoClose: 4_000, withBorder: true, closeButtonProps });
}

export function tellFailure(error: Error): void {
  notifications.show({
    title: 'That did not work',
    message: error.message,
    color: 'red',
    autoClose: 10_000,
    withBorder: true,
    closeButtonProps,
  });
}
