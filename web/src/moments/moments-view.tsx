import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { LongList } from '../kit/long-list.tsx';
import { Newer } from '../kit/newer.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { zoneName } from '../kit/time.ts';
import { ListHead } from '../kit/view-head.tsx';
import { t } from '../language/t.ts';
import { SavedViews } from '../saved-views/saved-views.tsx';
import { MomentFilters } from './moment-filters.tsx';
import { MomentRow } from './moment-row.tsx';
import { momentsQuery } from './queries.ts';
import { countFilters, type MomentSearch } from './search.ts';
import { SelectableMoments } from './selectable-moments.tsx';

/** Moments of all teams, newest first. */
export function MomentsView() {
  const search = useSearch({ from: '/moments' });
  const navigate = useNavigate();
  const change = useCallback(
    (next: MomentSearch) =>
      void navigate({ to: '/moments', search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  return (
    <div className="view">
      <ListHead
        name={t('Moments')}
        about={t('recorded without paging anyone · times in {zone}', { zone: zoneName() })}
      >
        <SavedViews list="moments" />
        <Link className="link" to="/notifications">
          {t('Received notifications')}
        </Link>
      </ListHead>
      <MomentFilters search={search} change={change} />
      <Moments search={search} clear={() => change({})} />
    </div>
  );
}

function Moments({ search, clear }: { search: MomentSearch; clear: () => void }) {
  const query = useInfiniteQuery(momentsQuery(search));
  const { data, error, refetch } = query;
  if (!data) return <Unread error={error} again={refetch} rows={6} />;
  const moments = data.pages.flatMap((answer) => answer.moments);
  if (moments.length === 0) return <NoMoments search={search} clear={clear} />;
  return (
    <div className="stack">
      <Newer room="moments" label={t('Show newer moments')} />
      <SelectableMoments moments={moments}>
        <LongList label={t('Moments')} items={moments} query={query}>
          {(moment) => <MomentRow moment={moment} />}
        </LongList>
      </SelectableMoments>
    </div>
  );
}

function NoMoments({ search, clear }: { search: MomentSearch; clear: () => void }) {
  const filtered = search.text !== undefined || countFilters(search) > 0 || search.state !== undefined;
  if (filtered)
    return (
      <Empty
        action={
          <Button variant="default" onClick={clear}>
            {t('Clear the filters')}
          </Button>
        }
      >
        {t('No matching moments.')}
      </Empty>
    );
  return (
    <Empty
      action={
        <Link className="link" to="/teams">
          {t('Teams and their webhooks')}
        </Link>
      }
    >
      {t('Nothing is open. Create a webhook for a team, and what your tools report shows up here.')}
    </Empty>
  );
}
