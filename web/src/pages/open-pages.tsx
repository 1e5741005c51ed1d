import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { useActionHotkeys } from '../alarm/use-view-hotkeys.ts';
import { openPagesQuery } from '../api/queries.ts';
import { Empty, Unread } from '../kit/states.tsx';
import { tell } from '../kit/tell.ts';
import { PageRow } from './page-row.tsx';

/** Rows of what nobody answered that are shown at once: after a bad night they must not hide what rings now. */
const FEW = 3;

/** Open pages: what nobody answered first, then what waits for an answer, and what waits for the viewer before the rest. */
export function OpenPages() {
  const { data, error, refetch } = useQuery(openPagesQuery);
  const pages = data ? sorted(data.pages) : [];
  const first = pages.find(({ unanswered }) => !unanswered);
  const waiting = first && first.state === 'notifying' && first.may_act ? first : null;
  const [all, setAll] = useState(false);
  const unanswered = pages.filter((page) => page.unanswered);
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
      {hidden.length > 0 && (
        <div>
          <Button variant="default" onClick={() => setAll(true)}>
            Show {hidden.length} more that nobody answered
          </Button>
        </div>
      )}
    </div>
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
