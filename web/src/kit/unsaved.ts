import type { ComponentType } from 'react';
import { lastSignOut } from '../sign-in/last-sign-out.ts';

/** `before`: the last sign-out in this browser before something was entered. `Notice`: says above the view that the session has ended. */
export type UnsavedForm = { before: string; Notice: ComponentType<{ className: string | undefined }> };

/** The forms with unsaved input that are shown. They report it by `useUnsaved`. */
export const unsavedForms = new Set<UnsavedForm>();

/** A form with unsaved input of the person who is signed in. A sign-out in this browser, in any tab, gives such input up. */
export function unsavedForm(): UnsavedForm | undefined {
  const last = lastSignOut();
  return [...unsavedForms].find(({ before }) => before === last);
}
