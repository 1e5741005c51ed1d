import { TextInput } from '@mantine/core';
import { t } from '../language/t.ts';

/** The number of people who are on call at once. */
export function SeatsField({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (seats: string) => void;
  error: string | undefined;
}) {
  return (
    <TextInput
      type="number"
      min={1}
      max={20}
      label={t('People at once')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      required
    />
  );
}
