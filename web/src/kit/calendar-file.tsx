import { FileInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../language/t.ts';

/** Chooses a calendar file instead of an address. `take` gets its text, or null when the choice is removed. */
export function CalendarFile({ take, error }: { take: (ics: string | null) => void; error: string | null }) {
  const [file, setFile] = useState<File | null>(null);
  return (
    <FileInput
      label={t('or a file')}
      placeholder={t('Choose a file')}
      accept=".ics,text/calendar"
      value={file}
      onChange={async (chosen) => {
        setFile(chosen);
        take((await chosen?.text()) ?? null);
      }}
      error={error}
      clearable
      clearButtonProps={{ 'aria-label': t('Remove the file') }}
    />
  );
}
