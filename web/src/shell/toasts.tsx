import { Notifications } from '@mantine/notifications';

/** The toasts. Those that were shown before this was loaded appear with it. */
export function Toasts() {
  return <Notifications position="bottom-right" limit={3} zIndex={500} />;
}
