import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { WindowShown } from '../../../src/sources/windows-api-contract.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Selectable } from '../kit/selection.tsx';
import { NamesOfItems, useBulk } from '../kit/use-bulk.tsx';
import { t } from '../language/t.ts';
import { endWindow } from './queries.ts';
import { endWords, scopeWords } from './words.ts';

type Asking = { items: readonly WindowShown[]; keep: (ids: readonly string[]) => void };

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
    one: 'window or silence',
    many: 'windows and silences',
    refresh: () => client.invalidateQueries({ queryKey: ['windows'] }),
  });
  const close = () => setAsking(null);
  const items = windows.filter(({ may_change }) => may_change);
  // With a single one, its own button is nearer than a box and a bar.
  if (items.length < 2) return children;
  const end = ({ items: chosen, keep }: Asking) =>
    run(
      {
        ...{ items: chosen, keep, verb: 'ended' },
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
        what={t('windows and silences')}
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
          title={`End ${asking.items.length} windows and silences now?`}
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
