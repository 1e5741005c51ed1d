import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { useEffect } from 'react';
import { appeared, isViewCovered, keyMayAct } from './key-guard.ts';

/** Hotkeys of a view. They do nothing while an alarm or a dialog covers it, because those have their own. */
export function useViewHotkeys(keys: readonly HotkeyItem[]): void {
  useHotkeys(
    keys.map(([key, run]) => [
      key,
      (event) => {
        if (!isViewCovered()) run(event);
      },
    ]),
  );
}

/**
 * Hotkeys that change something. They act only when pressed deliberately: not in the first second after `shown`
 * appeared, and not while another key is down.
 */
export function useActionHotkeys(shown: string, keys: readonly HotkeyItem[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value means that something else appeared
  useEffect(appeared, [shown]);
  useViewHotkeys(
    keys.map(([key, run]) => [
      key,
      (event) => {
        if (keyMayAct()) run(event);
      },
    ]),
  );
}
