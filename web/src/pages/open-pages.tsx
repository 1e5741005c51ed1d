import { useQuery } from '@tanstack/react-query';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { useViewHotkeys } from '../alarm/use-view-hotkeys.ts';
import { openPagesQuery } from '../api/queries.ts';
import { Empty, Unread } from '../kit/states.tsx';
import { PageRow } from './page-row.tsx';
import { useAct } from './use-act.ts';

/** Open pages: what waits for an answer first, and what waits for the viewer before all. */
export function OpenPages() {
  const { data, error, refetch } = useQuery(openPagesQuery);
  const pages = data ? sorted(data.pages) : [];
  const [first] = pages;
  const waiting = first && first.state === 'notifying' && first.may_act ? first : null;
  const act = useAct(waiting?.id ?? '');
  useViewHotkeys([['a', () => waiting && act.mutate({ name: 'acknowledge' })]]);

  if (!data) return <Unread error={error} again={refetch} />;
  if (pages.length === 0)
    return <Empty>Nothing is open. A page for you takes over this screen and rings.</Empty>;
  return (
    <div className="stack">
      {pages.map((page) => (
        <PageRow
          key={page.id}
          page={page}
          waiting={page === waiting}
          loud={page === waiting && isUrgent(page)}
        />
      ))}
    </div>
  );
}

/** What may wait until tomorrow does not shout, even when it waits for the viewer. */
function isUrgent({ mine, urgency }: PageSummary): boolean {
  return mine && urgency !== 'low';
}

function sorted(pages: readonly PageSummary[]): PageSummary[] {
  const rank = (page: PageSummary) =>
    page.state === 'notifying' ? (isUrgent(page) ? 0 : page.mine ? 1 : 2) : 3;
  return pages.toSorted((a, b) => rank(a) - rank(b));
}
