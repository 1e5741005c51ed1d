import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { LongList } from '../kit/long-list.tsx';
import { Newer } from '../kit/newer.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { zoneName } from '../kit/time.ts';
import { ListHead } from '../kit/view-head.tsx';
import { t } from '../language/t.ts';
import { SavedViews } from '../saved-views/saved-views.tsx';
import { foundPagesQuery } from './found-query.ts';
import { OpenPages } from './open-pages.tsx';
import { PageRow } from './page-row.tsx';
import { PagesFilters } from './pages-filters.tsx';
import type { PagesSearch } from './pages-search.ts';
import { RefusedPages } from './refused-pages.tsx';
import { SelectablePages } from './selectable-pages.tsx';

/** All pages, newest first. */
export function PagesView() {
  const search = useSearch({ from: '/pages' });
  const navigate = useNavigate();
  return (
    <div className="view">
      <ListHead name={t('Pages')} about={t('times in {zone}', { zone: zoneName() })}>
        <SavedViews list="pages" />
        <Button component={Link} to="/pages/new" variant="default">
          {t('Page someone')}
        </Button>
      </ListHead>
      <PagesFilters search={search} change={(next) => void navigate({ to: '/pages', search: next })} />
      <Found search={search} />
    </div>
  );
}

function Found({ search }: { search: PagesSearch }) {
  if (search.show === 'refused') return <RefusedPages />;
  // The view of open pages has its own order.
  if (Object.keys(search).length > 0) return <FoundPages search={search} />;
  return <OpenPages around={(list, pages) => <SelectablePages pages={pages}>{list}</SelectablePages>} />;
}

function FoundPages({ search }: { search: PagesSearch }) {
  const query = useInfiniteQuery(foundPagesQuery(search));
  const { data, error, refetch } = query;
  if (!data) return <Unread error={error} again={refetch} rows={5} />;
  const pages = data.pages.flatMap((answer) => answer.pages);
  if (pages.length === 0)
    return (
      <Empty
        action={
          <Link className="link" to="/pages" search={{ show: 'all' }}>
            {t('Show all pages')}
          </Link>
        }
      >
        {search.show === 'all' && Object.keys(search).length === 1
          ? t('Nobody was paged yet.')
          : t('No page matches these filters.')}
      </Empty>
    );
  return (
    <>
      <Newer room="pages" label={t('Show newer pages')} />
      <SelectablePages pages={pages}>
        <LongList label={t('Pages')} items={pages} query={query}>
          {(page) => <PageRow page={page} line />}
        </LongList>
      </SelectablePages>
    </>
  );
}
