import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { storedText } from '../language/stored.ts';

/** The refusal of a calendar that was given by its address or as a file. `error`: a stored text. */
export function unreadable(field: 'url' | 'ics', error: string): Fault {
  const values = { error: storedText(error) };
  const message =
    field === 'url'
      ? t('cannot be read: {error}; check the address, or give the file itself', values)
      : t('cannot be read: {error}; give an iCalendar file (.ics)', values);
  return new Fault('bad_request', [{ field, message }]);
}
