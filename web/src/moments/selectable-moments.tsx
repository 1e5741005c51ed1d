import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type MomentSummary, momentsApi } from '../../../src/moments/api-contract.ts';
import { useActionHotkeys } from '../alarm/use-view-hotkeys.ts';
import { send } from '../api/call.ts';
import { Selectable } from '../kit/selection.tsx';
import { type BulkWords, useBulk } from '../kit/use-bulk.tsx';
import { t } from '../language/t.ts';
import { UNDO_MS } from '../pages/use-act.ts';

/** A list of moments of which several can be acknowledged or resolved together. Moments page nobody, so nothing is asked. */
export function SelectableMoments({
  moments,
  children,
}: {
  moments: readonly MomentSummary[];
  children: ReactNode;
}) {
  const client = useQueryClient();
  const { run, busy, report } = useBulk<MomentSummary>({
    undone: {
      done: (count) =>
        t('{count, plural, =1 {Undone for 1 moment.} other {Undone for # moments.}}', { count }),
      failed: (count) =>
        t('{count, plural, =1 {1 moment could not be undone} other {# moments could not be undone}}', {
          count,
        }),
    },
    refresh: () => client.invalidateQueries({ queryKey: ['moments'] }),
  });
  return (
    <>
      <Selectable
        items={moments}
        words={{
          selected: t('Selected moments'),
          all: (count) => t('Select all {count} moments shown', { count }),
        }}
        bar={(items, keep) => (
          <BarActions
            busy={busy}
            acknowledge={() =>
              run({
                items,
                keep,
                words: ACKNOWLEDGED,
                act: ({ id }) => send(momentsApi.acknowledge, { params: { id } }),
              })
            }
            resolve={() =>
              run({
                items,
                keep,
                words: RESOLVED,
                act: ({ id }) => send(momentsApi.resolve, { params: { id } }),
                // A moment can be reopened at any time; the button stays as long as that of pages.
                undo: { act: ({ id }) => send(momentsApi.reopen, { params: { id } }), ms: UNDO_MS },
              })
            }
          />
        )}
      >
        {children}
      </Selectable>
      {report}
    </>
  );
}

const ACKNOWLEDGED: BulkWords = {
  done: (count) =>
    t('{count, plural, =1 {1 moment acknowledged.} other {# moments acknowledged.}}', { count }),
  failed: (count) =>
    t(
      '{count, plural, =1 {1 moment could not be acknowledged} other {# moments could not be acknowledged}}',
      { count },
    ),
};

const RESOLVED: BulkWords = {
  done: (count) => t('{count, plural, =1 {1 moment resolved.} other {# moments resolved.}}', { count }),
  failed: (count) =>
    t('{count, plural, =1 {1 moment could not be resolved} other {# moments could not be resolved}}', {
      count,
    }),
};

function BarActions({
  busy,
  acknowledge,
  resolve,
}: {
  busy: boolean;
  acknowledge: () => void;
  resolve: () => void;
}) {
  useActionHotkeys('selected moments', [
    ['a', acknowledge],
    ['r', resolve],
  ]);
  return (
    <>
      <Button variant="default" disabled={busy} onClick={acknowledge}>
        {t('Acknowledge')}
      </Button>
      <Button variant="default" disabled={busy} onClick={resolve}>
        {t('Resolve')}
      </Button>
    </>
  );
}
