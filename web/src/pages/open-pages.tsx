import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type PageSummary, pagesApi } from '../../../src/pages/api-contract.ts';
import { useActionHotkeys } from '../alarm/use-view-hotkeys.ts';
import { send } from '../api/call.ts';
import { openPagesQuery } from '../api/queries.ts';
import { useDatabaseAway } from '../away/database-away.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { NamesOfItems } from '../kit/use-bulk.tsx';
import { t } from '../language/t.ts';
import classes from './open-pages.module.css';
import { PageRow } from './page-row.tsx';

/** Unanswered pages that are shown at first, so that they do not hide the pages that notify now. */
const FEW = 3;
/** The most pages that one request may mark; the rest can be marked afterwards. */
const MOST_HANDLED = 200;

/**
 * Open pages: unanswered ones first, then those that notify, the viewer's before those of others. `around` wraps the
 * list of those that are shown.
 */
export function OpenPages({ around }: { around?: (list: ReactNode, pages: PageSummary[]) => ReactNode }) {
  const { data, error, refetch } = useQuery(openPagesQuery);
  const databaseAway = useDatabaseAway();
  const pages = data ? sorted(data.pages) : [];
  const first = pages.find(({ unanswered }) => !unanswered);
  const waiting = first && first.state === 'notifying' && first.may_act ? first : null;
  const [all, setAll] = useState(false);
  const unanswered = pages.filter((page) => page.unanswered);
  const handleable = unanswered.filter((page) => page.may_act);
  const hidden = all ? [] : unanswered.slice(FEW);
  const hint = () => {
    if (waiting && !document.activeElement?.closest('[data-page]'))
      showToast(t('Select a page first: J and K go through the list.'));
  };
  useActionHotkeys('open pages', [
    ['a', hint],
    ['r', hint],
  ]);

  if (!data) return <Unread error={error} again={refetch} />;
  if (pages.length === 0) return <NothingOpen databaseAway={databaseAway} />;
  const shown = pages.filter((page) => !hidden.includes(page));
  const row = (page: PageSummary) => (
    <PageRow key={page.id} page={page} loud={page === waiting && isUrgent(page)} />
  );
  const list = (
    <div className="stack">
      {shown.filter(({ unanswered }) => unanswered).map(row)}
      <Group gap="sm" className={classes.together}>
        {hidden.length > 0 && (
          <Button variant="default" onClick={() => setAll(true)}>
            {t('Show {count} more that nobody answered', { count: hidden.length })}
          </Button>
        )}
        <HandleAll pages={handleable.slice(0, MOST_HANDLED)} />
      </Group>
      {shown.filter(({ unanswered }) => !unanswered).map(row)}
    </div>
  );
  return around ? around(list, shown) : list;
}

/** While the database is away, a lifeboat may have pages that this screen does not know. */
function NothingOpen({ databaseAway }: { databaseAway: boolean }) {
  return (
    <Empty>
      {databaseAway
        ? t(
            'Nothing was open when the database was last reachable. Until it is back, this screen does not ring.',
          )
        : t('Nothing is open. A page for you takes over this screen and rings.')}
    </Empty>
  );
}

/** Marks all unanswered pages as handled after one confirmation. */
function HandleAll({ pages }: { pages: readonly PageSummary[] }) {
  const client = useQueryClient();
  // The pages at the time of the question. Pages that expire while somebody reads it are not included.
  const [asked, setAsked] = useState<readonly PageSummary[] | null>(null);
  const handle = useMutation({
    mutationFn: (of: readonly PageSummary[]) =>
      send(pagesApi.handled, { body: { pages: of.map(({ id }) => id) } }),
    onSuccess: ({ handled }) => showToast(t('{count} pages are marked as handled.', { count: handled })),
    onError: showFailure,
    onSettled: () => {
      setAsked(null);
      void client.invalidateQueries({ queryKey: ['pages'] });
    },
  });
  return (
    <>
      {pages.length > 1 && (
        <Button variant="default" onClick={() => setAsked(pages)}>
          {t('Mark all {count} as handled', { count: pages.length })}
        </Button>
      )}
      {asked && (
        <ConfirmDialog
          title={t('Mark all {count} pages as handled?', { count: asked.length })}
          keep={t('Cancel')}
          go={t('Mark as handled')}
          busy={handle.isPending}
          close={() => setAsked(null)}
          act={() => handle.mutate(asked)}
        >
          <div className="stack">
            <p>{t('Nobody answered them. Nobody will be notified of them again.')}</p>
            <NamesOfItems items={asked.map(({ id, title }) => ({ id, name: title }))} />
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Pages of low urgency are not highlighted, even when they wait for the viewer. */
function isUrgent({ mine, urgency }: PageSummary): boolean {
  return mine && urgency !== 'low';
}

function sorted(pages: readonly PageSummary[]): PageSummary[] {
  const rank = (page: PageSummary) => {
    if (page.unanswered) return 0;
    if (page.state !== 'notifying') return 4;
    if (isUrgent(page)) return 1;
    return page.mine ? 2 : 3;
  };
  return pages.toSorted((a, b) => rank(a) - rank(b));
}
