import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { HandledAnswer, PageSummary } from '../../../src/pages/api-contract.ts';
import { useActionHotkeys } from '../alarm/use-view-hotkeys.ts';
import { call } from '../api/call.ts';
import { openPagesQuery } from '../api/queries.ts';
import { Empty, Unread } from '../kit/states.tsx';
import { tell, tellFailure } from '../kit/tell.ts';
import { PageRow } from './page-row.tsx';

/** Rows of what nobody answered that are shown at once: after a bad night they must not hide what rings now. */
const FEW = 3;
/** As many as the service takes at once; the rest can be marked afterwards. */
const MOST_HANDLED = 200;

/** Open pages: what nobody answered first, then what waits for an answer, and what waits for the viewer before the rest. */
export function OpenPages() {
  const { data, error, refetch } = useQuery(openPagesQuery);
  const pages = data ? sorted(data.pages) : [];
  const first = pages.find(({ unanswered }) => !unanswered);
  const waiting = first && first.state === 'notifying' && first.may_act ? first : null;
  const [all, setAll] = useState(false);
  const unanswered = pages.filter((page) => page.unanswered);
  const handleable = unanswered.filter((page) => page.may_act);
  const hidden = all ? [] : unanswered.slice(FEW);
  const hint = () => {
    if (waiting && !document.activeElement?.closest('[data-page]'))
      tell('Select a page first: J and K go through the list.');
  };
  useActionHotkeys('open pages', [
    ['a', hint],
    ['r', hint],
  ]);

  if (!data) return <Unread error={error} again={refetch} />;
  if (pages.length === 0)
    return <Empty>Nothing is open. A page for you takes over this screen and rings.</Empty>;
  return (
    <div className="stack">
      {pages
        .filter((page) => !hidden.includes(page))
        .map((page) => (
          <PageRow key={page.id} page={page} loud={page === waiting && isUrgent(page)} />
        ))}
      {(hidden.length > 0 || handleable.length > 1) && (
        <Group gap="sm">
          {hidden.length > 0 && (
            <Button variant="default" onClick={() => setAll(true)}>
              Show {hidden.length} more that nobody answered
            </Button>
          )}
          {handleable.length > 1 && <HandleAll pages={handleable.slice(0, MOST_HANDLED)} />}
        </Group>
      )}
    </div>
  );
}

/** After a bad night, one press instead of one for each page; a second press on the same button confirms it. */
function HandleAll({ pages }: { pages: readonly PageSummary[] }) {
  const client = useQueryClient();
  const [sure, setSure] = useState(false);
  const handle = useMutation({
    mutationFn: () => call<HandledAnswer>('POST', '/api/pages/handled', { pages: pages.map(({ id }) => id) }),
    onSuccess: ({ handled }) => tell(`${handled} pages are marked as handled.`),
    onError: tellFailure,
    onSettled: () => {
      setSure(false);
      void client.invalidateQueries({ queryKey: ['pages'] });
    },
  });
  if (!sure)
    return (
      <Button variant="default" onClick={() => setSure(true)}>
        Mark all {pages.length} as handled
      </Button>
    );
  return (
    <>
      <span>Nobody answered these {pages.length} pages. Mark all of them as handled?</span>
      <Button loading={handle.isPending} onClick={() => handle.mutate()}>
        Mark as handled
      </Button>
      <Button variant="default" disabled={handle.isPending} onClick={() => setSure(false)}>
        Cancel
      </Button>
    </>
  );
}

/** What may wait until tomorrow does not shout, even when it waits for the viewer. */
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
