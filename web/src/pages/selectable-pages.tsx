import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { useActionHotkeys } from '../alarm/use-view-hotkeys.ts';
import { sessionQuery } from '../api/queries.ts';
import { Selectable } from '../kit/selection.tsx';
import { NamesOfItems } from '../kit/use-bulk.tsx';
import { t } from '../language/t.ts';
import { type Answer, AnswerQuestion, type NamedPage, useAnswerAll, withName } from './answer-pages.tsx';
import { isOwn } from './own-page.ts';
import { AssigneeDialog } from './people-dialog.tsx';

type Keep = (ids: readonly string[]) => void;
type Asking = { what: Answer | 'reassign'; pages: readonly NamedPage[]; keep: Keep };

/** A list of pages of which several can be acknowledged, resolved or reassigned together. */
export function SelectablePages({ pages, children }: { pages: readonly PageSummary[]; children: ReactNode }) {
  const me = useQuery(sessionQuery).data?.user.id;
  const [asking, setAsking] = useState<Asking | null>(null);
  const { answer, bulk } = useAnswerAll();
  const close = () => setAsking(null);
  const start = (what: Asking['what'], selected: readonly NamedPage[], keep: Keep) => {
    if (what === 'reassign' || selected.some((page) => !isOwn(page, me)))
      setAsking({ what, pages: selected, keep });
    else answer({ name: what }, selected, keep);
  };
  return (
    <>
      <Selectable
        items={pages.map(withName)}
        words={{
          selected: t('Selected pages'),
          all: (count) => t('Select all {count} pages shown', { count }),
        }}
        bar={(selected, keep) => (
          <BarActions busy={bulk.busy} start={(what) => start(what, selected, keep)} />
        )}
      >
        {children}
      </Selectable>
      {asking?.what === 'reassign' && (
        <AssigneeDialog
          purpose="reassign"
          busy={bulk.busy}
          close={close}
          send={(action) => answer(action, asking.pages, asking.keep, close)}
        >
          <NamesOfItems items={asking.pages} />
        </AssigneeDialog>
      )}
      {asking && asking.what !== 'reassign' && (
        <AnswerQuestion
          what={asking.what}
          pages={asking.pages}
          busy={bulk.busy}
          close={close}
          act={() =>
            asking.what !== 'reassign' && answer({ name: asking.what }, asking.pages, asking.keep, close)
          }
        />
      )}
      {bulk.report}
    </>
  );
}

/** The actions on selected pages. `A` and `R` act on all of them, as they act on one that has the focus. */
function BarActions({ busy, start }: { busy: boolean; start: (what: Asking['what']) => void }) {
  useActionHotkeys('selected pages', [
    ['a', () => start('acknowledge')],
    ['r', () => start('resolve')],
  ]);
  return (
    <>
      <Button variant="default" loading={busy} onClick={() => start('acknowledge')}>
        {t('Acknowledge')}
        <span className="kbd" style={{ marginLeft: 8 }}>
          A
        </span>
      </Button>
      <Button variant="default" disabled={busy} onClick={() => start('resolve')}>
        {t('Resolve')}
        <span className="kbd" style={{ marginLeft: 8 }}>
          R
        </span>
      </Button>
      <Button variant="default" disabled={busy} onClick={() => start('reassign')}>
        {t('Reassign')}
      </Button>
    </>
  );
}
