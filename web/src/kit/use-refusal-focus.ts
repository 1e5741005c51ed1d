import { type RefObject, useEffect, useRef } from 'react';

/**
 * When a form was sent and is still there, moves the focus to its first field with an error. Without one, the focus goes
 * back to the button that sent the form, which lost it because it was disabled meanwhile. `busy`: the form is being sent.
 */
export function useRefusalFocus(busy: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    const isAnswered = wasBusy.current && !busy;
    wasBusy.current = busy;
    if (!isAnswered) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const isLost = document.activeElement === document.body;
    const sent = isLost ? form.current?.querySelector<HTMLElement>('[type="submit"]') : null;
    (wrong ?? sent)?.focus();
  }, [busy]);
  return form;
}
