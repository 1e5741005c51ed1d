import { type HotkeyItem, useHotkeys } from '@mantine/hooks';

/** Keys of what is shown; they do nothing while an alarm or a dialog lies over it, which has keys of its own. */
export function useViewHotkeys(keys: readonly HotkeyItem[]): void {
  useHotkeys(
    keys.map(([key, run]) => [
      key,
      (event) => {
        if (!document.querySelector('[role="dialog"], [role="alertdialog"]')) run(event);
      },
    ]),
  );
}
