import { Button } from '@mantine/core';
import { useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { SilenceDialog } from '../windows/silence-dialog.tsx';

/** Silences what a page of a source is about. */
export function SilencePage({ page }: { page: PageSummary }) {
  const [opened, setOpened] = useState(false);
  if (!page.may_silence || !page.source) return null;
  const { id, title, source, dedup_key: dedupKey, state } = page;
  const about = { from: { page: id }, title, source, dedupKey, notifying: state === 'notifying' };
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Silence
      </Button>
      {opened && <SilenceDialog about={about} close={() => setOpened(false)} />}
    </>
  );
}
