import { Textarea } from '@mantine/core';
import { t } from '../language/t.ts';

/** An optional message to the people who are notified. */
export function WordField({ value, onChange }: { value: string; onChange: (word: string) => void }) {
  return (
    <Textarea
      label={t('A note to them')}
      value={value}
      maxLength={1_000}
      autosize
      minRows={2}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
