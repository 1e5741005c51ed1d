import { type RefObject, useLayoutEffect, useState } from 'react';
import { Refusal } from '../api/call.ts';
import { t } from '../language/t.ts';
import { detailText, fieldText } from './detail.ts';

/**
 * What the end of a long form says about a refusal: to correct the marked fields, and each problem that no field within
 * `fields` shows. For forms whose fields come and go, so that no list says which of them are there.
 */
export function useFormAlert(fields: RefObject<HTMLElement | null>, error: Error | null): string | null {
  const [alert, setAlert] = useState<string | null>(null);
  useLayoutEffect(
    () => setAlert(error && alertOf(fields.current?.textContent ?? '', error)),
    [fields, error],
  );
  return alert;
}

function alertOf(shown: string, error: Error): string {
  const details = error instanceof Refusal ? error.details : [];
  if (details.length === 0) return error.message;
  const others = details.filter((detail) => !shown.includes(fieldText(detail)));
  const correct = t('Correct the fields that are marked above, then save again.');
  return [...(others.length < details.length ? [correct] : []), ...others.map(detailText)].join(' ');
}
