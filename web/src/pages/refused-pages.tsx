import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { RefusedPage } from '../../../src/pages/compose-api-contract.ts';
import { refusedPagesQuery } from '../compose/queries.ts';
import { detailText } from '../kit/detail.ts';
import { Pill } from '../kit/pill.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { fullTime, shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';

/** Pages that were refused because they would have reached nobody or were invalid. */
export function RefusedPages() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(refusedPagesQuery);
  if (!data) return <Unread error={error} again={refetch} rows={5} />;
  const refused = data.pages.flatMap((answer) => answer.refused);
  if (refused.length === 0) return <Empty>{t('No refused pages.')}</Empty>;
  return (
    <div className="stack">
      <div className="card lines">
        {refused.map((page) => (
          <Refused key={page.id} page={page} />
        ))}
      </div>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Older ones')}
        </Button>
      )}
    </div>
  );
}

function Refused({ page: { title, kind, recipient, by, at, reasons } }: { page: RefusedPage }) {
  const now = useNow(60_000);
  return (
    <div className="line wrap" style={{ alignItems: 'flex-start' }}>
      <Pill tone="alarm">{t('refused')}</Pill>
      <div className="grow">
        <b>{title ?? t('No title')}</b>
        <div className="muted">
          {kind === 'team'
            ? t('to the team {recipient} · raised by {who}', {
                recipient: recipient ?? t('nobody'),
                who: by?.name ?? t('somebody'),
              })
            : t('to {recipient} · raised by {who}', {
                recipient: recipient ?? t('nobody'),
                who: by?.name ?? t('somebody'),
              })}
        </div>
        {reasons.map(detailText).map((reason) => (
          <div key={reason} className="wordwrap">
            {reason}
          </div>
        ))}
      </div>
      <time className="faint" dateTime={at} title={fullTime(at)}>
        {shortTime(at, now)}
      </time>
    </div>
  );
}
