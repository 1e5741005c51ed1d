import { useState } from 'react';

/**
 * Whether something was entered in the form of a dialog. A tap beside the dialog, such as one that should only hide the keyboard of
 * a phone, must not discard it then.
 */
export function useEntered(): { entered: boolean; onInput: () => void } {
  const [entered, setEntered] = useState(false);
  return { entered, onInput: () => setEntered(true) };
}
