import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { WindowShown } from '../../../src/sources/windows-api-contract.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Selectable } from '../kit/selection.tsx';
import { type BulkWords, NamesOfItems, useBulk } from '../kit/use-bulk.tsx';
import { t } from '../language/t.ts';
import { endWindow } from './queries.ts';
import { endWords, scopeWords } from './words.ts';

type Asking = { items: readonly WindowShown[]; keep: (ids: readonly string[]) => void };

const ENDED: BulkWords = {
  done: (count) =>
    t('{count, plural, =1 {1 window or silence ended.} other {# windows and silences ended.}}', { count }),
  failed: (count) =>
    t(
      '{count, plural, =1 {1 window or silence could not be ended} other {# windows and silences could not be ended}}',
      { count },
    ),
};

/** A list of silences and maintenance windows of which several can be ended together. */
export function SelectableWindows({
  windows,
  children,
}: {
  windows: readonly WindowShown[];
  children: ReactNode;
}) {
  const client = useQueryClient();
  const [asking, setAsking] = useState<Asking | null>(null);
  const { run, busy, report } = useBulk<WindowShown>({
    undone: ENDED,
    refresh: () => client.invalidateQueries({ queryKey: ['windows'] }),
  });
  const close = () => setAsking(null);
  const items = windows.filter(({ may_change }) => may_change);
  // With a single one, its own button is nearer than a box and a bar.
  if (items.length < 2) return children;
  const end = ({ items: chosen, keep }: Asking) =>
    run(
      {
        ...{ items: chosen, keep, words: ENDED },
        act: async (window) => {
          await endWindow(window);
          return { changed: true, message: '' };
        },
      },
      close,
    );
  return (
    <>
      <Selectable
        items={items}
        words={{
          selected: t('Selected windows and silences'),
          all: (count) => t('Select all {count} windows and silences shown', { count }),
        }}
        bar={(chosen, keep) => (
          <Button variant="default" loading={busy} onClick={() => setAsking({ items: chosen, keep })}>
            {t('End now')}
          </Button>
        )}
      >
        {children}
      </Selectable>
      {asking && (
        <ConfirmDialog
          title={t(
            '{count, plural, =1 {End 1 window or silence now?} other {End # windows and silences now?}}',
            { count: asking.items.length },
          )}
          keep={t('Keep them')}
          go={t('End now')}
          busy={busy}
          close={close}
          act={() => end(asking)}
        >
          <div className="stack">
            <NamesOfItems items={asking.items.map((one) => ({ ...one, about: scopeWords(one) }))} />
            <p>{endWords(asking.items)}</p>
          </div>
        </ConfirmDialog>
      )}
      {report}
    </>
  );
}
