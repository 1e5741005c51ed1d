import { notifications } from '@mantine/notifications';
import type { NoticeView } from '../../../src/notices/api-contract.ts';

/**
 * A word in the corner about something that the viewer should know; it goes away by itself, and stays in the inbox.
 * `go` takes the viewer to a place of the dashboard: the corner lies outside of what the router knows.
 */
export function tellNotice({ id, subject, path }: NoticeView, go: (path: string) => void): void {
  const key = `notice-${id}`;
  const to = path ?? '/inbox';
  notifications.show({
    id: key,
    autoClose: 8_000,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
    message: (
      <a
        className="link"
        href={to}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey) return;
          event.preventDefault();
          notifications.hide(key);
          go(to);
        }}
      >
        {subject}
      </a>
    ),
  });
}
