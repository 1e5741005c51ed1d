import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type MomentSummary, momentsApi } from '../../../src/moments/api-contract.ts';
import { useActionHotkeys } from '../alarm/use-view-hotkeys.ts';
import { send } from '../api/call.ts';
import { Selectable } from '../kit/selection.tsx';
import { useBulk } from '../kit/use-bulk.tsx';
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
    one: 'moment',
    many: 'moments',
    refresh: () => client.invalidateQueries({ queryKey: ['moments'] }),
  });
  return (
    <>
      <Selectable
        items={moments}
        what="moments"
        bar={(items, keep) => (
          <BarActions
            busy={busy}
            acknowledge={() =>
              run({
                items,
                keep,
                verb: 'acknowledged',
                act: ({ id }) => send(momentsApi.acknowledge, { params: { id } }),
              })
            }
            resolve={() =>
              run({
                items,
                keep,
                verb: 'resolved',
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
