import { Textarea } from '@mantine/core';
import { t } from '../language/t.ts';

/** An optional message to the people who are notified. */
export function WordField({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (word: string) => void;
  error: string | null;
}) {
  return (
    <Textarea
      label={t('A note to them')}
      value={value}
      error={error}
      maxLength={1_000}
      autosize
      minRows={2}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
