import { type MouseEvent, useState } from 'react';
import { useUnsaved } from './use-unsaved.ts';

/** The handlers of a form that notice that something is entered. */
type Entering = { onInput: () => void; onClick: (event: MouseEvent) => void };

/**
 * Whether something was entered in the form of a dialog. A tap beside the dialog, such as one that should only hide the keyboard of
 * a phone, must not discard it then, nor the end of a session.
 */
export function useEntered(): { entered: boolean; entering: Entering } {
  const [entered, setEntered] = useState(false);
  useUnsaved(entered);
  const note = () => setEntered(true);
  // The choice of an option is no input to the browser.
  const isChoice = ({ target }: MouseEvent) => target instanceof Element && target.closest('[role="option"]');
  return { entered, entering: { onInput: note, onClick: (event) => isChoice(event) && note() } };
}
