import { TextInput } from '@mantine/core';
import { t } from '../language/t.ts';
import { fieldError } from './field-error.ts';
import type { Zone } from './zones.ts';

/** Fields of the API that `TimesFields` shows. */
export const TIMES = ['starts_at', 'ends_at'];

/** Start and end, as typed in the zone. */
export function TimesFields({
  zone,
  from,
  to,
  setFrom,
  setTo,
  error = null,
}: {
  zone: Zone;
  from: string;
  to: string;
  setFrom: (typed: string) => void;
  setTo: (typed: string) => void;
  /** The last refusal. */
  error?: Error | null;
}) {
  return (
    <>
      <TextInput
        type="datetime-local"
        label={t('From, in {zone}', { zone: zone.city })}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        error={fieldError(error, 'starts_at')}
        required
      />
      <TextInput
        type="datetime-local"
        label={t('To, in {zone}', { zone: zone.city })}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        error={fieldError(error, 'ends_at')}
        required
      />
    </>
  );
}
