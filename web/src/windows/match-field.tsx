import { Textarea } from '@mantine/core';
import { t } from '../language/t.ts';

/** The matchers of a window, one a line. */
export function MatchField({
  value,
  set,
  error,
}: {
  value: string;
  set: (match: string) => void;
  error: string | null;
}) {
  return (
    <Textarea
      label={t('Only alerts that match')}
      description={t(
        'One condition per line, such as service=db, severity!=critical or instance=~db-.*; all must match. Empty: all alerts.',
      )}
      classNames={{ input: 'mono-input' }}
      autosize
      minRows={1}
      maxRows={6}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
      error={error}
    />
  );
}
