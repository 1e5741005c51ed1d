import { Button } from '@mantine/core';
import { useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { t } from '../language/t.ts';
import { type Silenceable, SilenceDialog } from '../windows/silence-dialog.tsx';

/** Silences what a page of a source is about. */
export function SilencePage({ page }: { page: PageSummary }) {
  const [opened, setOpened] = useState(false);
  const about = silenceable(page);
  if (!about) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {t('Silence')}
      </Button>
      {opened && <SilenceDialog about={about} close={() => setOpened(false)} />}
    </>
  );
}

/** What a silence of this page is made from; null if the viewer cannot silence what it is about. */
export function silenceable({
  may_silence,
  id,
  title,
  source,
  dedup_key: dedupKey,
  state,
}: PageSummary): Silenceable | null {
  if (!may_silence || !source) return null;
  return { from: { page: id }, title, source, dedupKey, notifying: state === 'notifying' };
}
