import { Button, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { allPagesQuery } from '../api/queries.ts';
import { Empty, Failed, Loading } from '../kit/states.tsx';
import { zoneName } from '../kit/time.ts';
import { OpenPages } from './open-pages.tsx';
import { PageRow } from './page-row.tsx';

/** Every page there was, the newest first. */
export function PagesView() {
  const { show } = useSearch({ from: '/pages' });
  const navigate = useNavigate();
  return (
    <div className="view">
      <header className="row wrap">
        <h1>Pages</h1>
        <span className="muted">times in {zoneName}</span>
        <span className="grow" />
        <SegmentedControl
          aria-label="Which pages"
          value={show ?? 'open'}
          onChange={(value) =>
            void navigate({ to: '/pages', search: value === 'all' ? { show: 'all' } : {} })
          }
          data={[
            { value: 'open', label: 'Open' },
            { value: 'all', label: 'All' },
          ]}
        />
      </header>
      {show === 'all' ? <AllPages /> : <OpenPages />}
    </div>
  );
}

function AllPages() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(allPagesQuery);
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading rows={5} />;
  const pages = data.pages.flatMap((answer) => answer.pages);
  if (pages.length === 0)
    return (
      <Empty>
        Nobody was paged yet. Raise the first one with POST /page/team; see the API reference at /docs.
      </Empty>
    );
  return (
    <div className="stack">
      {pages.map((page) => (
        <PageRow key={page.id} page={page} />
      ))}
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Older pages
        </Button>
      )}
    </div>
  );
}
