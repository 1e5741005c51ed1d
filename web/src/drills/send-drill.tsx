import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../language/t.ts';
import { DrillDialog } from './drill-dialog.tsx';

/** The button that opens the dialog of a drill. `team`: a slug, or null to choose one. `about` completes its name. */
export function SendDrill({
  team,
  variant = 'default',
  about,
}: {
  team: string | null;
  variant?: 'default' | 'filled';
  about?: string;
}) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant={variant}
        {...(about ? { 'aria-label': t('Send a drill: {about}', { about }) } : {})}
        onClick={() => setOpened(true)}
      >
        {t('Send a drill')}
      </Button>
      {opened && <DrillDialog team={team} close={() => setOpened(false)} />}
    </>
  );
}
