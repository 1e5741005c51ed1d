import { TextInput } from '@mantine/core';
import { t } from '../language/t.ts';
import type { Zone } from './zones.ts';

/** Start and end, as typed in the zone. */
export function TimesFields({
  zone,
  from,
  to,
  setFrom,
  setTo,
}: {
  zone: Zone;
  from: string;
  to: string;
  setFrom: (typed: string) => void;
  setTo: (typed: string) => void;
}) {
  return (
    <>
      <TextInput
        type="datetime-local"
        label={t('From, in {zone}', { zone: zone.city })}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        required
      />
      <TextInput
        type="datetime-local"
        label={t('To, in {zone}', { zone: zone.city })}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        required
      />
    </>
  );
}
