import { notifications } from '@mantine/notifications';
import type { NoticeView } from '../../../src/notices/api-contract.ts';
import { inClock } from '../kit/time.ts';
import { t } from '../language/t.ts';

/**
 * Shows a new notice as a toast, which disappears by itself; the notice stays in the inbox. `go` navigates within the
 * dashboard, because toasts are outside the router.
 */
export function showNotice({ id, subject, path }: NoticeView, go: (path: string) => void): void {
  const key = `notice-${id}`;
  const to = path ?? '/inbox';
  notifications.show({
    id: key,
    autoClose: 8_000,
    withBorder: true,
    closeButtonProps: { 'aria-label': t('Close') },
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
        {inClock(subject)}
      </a>
    ),
  });
}
