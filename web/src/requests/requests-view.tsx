import { Button, Select, TextInput } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type RequestLine, requestsApi } from '../../../src/requests/api-contract.ts';
import type { RequestStatus } from '../../../src/requests/contract.ts';
import { send } from '../api/call.ts';
import { LongList } from '../kit/long-list.tsx';
import { Pill } from '../kit/pill.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { zoneName } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { ListHead } from '../kit/view-head.tsx';
import { When } from '../kit/when.tsx';
import { t } from '../language/t.ts';
import rowClasses from '../moments/moment-row.module.css';
import { KIND_WORDS, STATUS_TONES, statusName } from './words.ts';

const requestsQuery = (status: RequestStatus | null) =>
  infiniteQueryOptions({
    queryKey: ['requests', status],
    queryFn: ({ pageParam }) =>
      send(requestsApi.list, {
        query: { limit: 50, status: status ?? undefined, before: pageParam || undefined },
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_before ?? undefined,
    // Do not refresh a list that was loaded further.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 10_000),
  });

/** Requests of programs, with a search by request id. */
export function RequestsView() {
  const [status, setStatus] = useState<RequestStatus | null>(null);
  const query = useInfiniteQuery(requestsQuery(status));
  const { data, error, refetch } = query;
  const requests = data?.pages.flatMap((answer) => answer.requests) ?? [];
  // One look goes through a part of the requests. Further parts are read on demand if this one had none of the status.
  const isFruitless = query.hasNextPage && data?.pages.at(-1)?.requests.length === 0;
  return (
    <div className="view">
      <ListHead name={t('Requests')} about={t('times in {zone}', { zone: zoneName() })} />
      <div className="row wrap" style={{ gap: 8 }}>
        <LookUp />
        <Select
          aria-label={t('Status')}
          w={170}
          placeholder={t('Any status')}
          clearable
          data={(Object.keys(STATUS_TONES) as RequestStatus[]).map((value) => ({
            value,
            label: statusName(value),
          }))}
          value={status}
          onChange={setStatus}
        />
      </div>
      {!data && <Unread error={error} again={refetch} rows={6} />}
      {data && requests.length === 0 && <Empty>{emptyWords(status, query.hasNextPage)}</Empty>}
      {requests.length > 0 && (
        <LongList
          label={t('Requests')}
          items={requests}
          query={{ ...query, hasNextPage: query.hasNextPage && !isFruitless }}
        >
          {(request) => <Line request={request} />}
        </LongList>
      )}
      {isFruitless && (
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('Search older ones')}
        </Button>
      )}
    </div>
  );
}

function emptyWords(status: RequestStatus | null, hasOlder: boolean): string {
  if (!status) return t('No requests yet.');
  return hasOlder ? t('None of the newest requests has this status.') : t('No requests with this status.');
}

function LookUp() {
  const [id, setId] = useState('');
  const navigate = useNavigate();
  const open = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/requests/$id', params: { id: id.trim() } });
  };
  return (
    <form className="row grow" style={{ gap: 8, minWidth: 260 }} onSubmit={open}>
      <TextInput
        className="grow"
        aria-label={t('Request ID')}
        placeholder="request_…"
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={!id.trim()}>
        {t('Look it up')}
      </Button>
    </form>
  );
}

function Line({ request: { id, kind, status, message, attempts, created_at } }: { request: RequestLine }) {
  const now = useNow(30_000);
  return (
    <article className={`opens ${rowClasses.row}`}>
      <span className={rowClasses.state}>
        <Pill tone={STATUS_TONES[status]} dot>
          {statusName(status)}
        </Pill>
      </span>
      <div className="grow">
        <Link className={`${rowClasses.name} mono`} data-row to="/requests/$id" params={{ id }}>
          {id}
        </Link>
        <div className="muted">
          {KIND_WORDS[kind]} · {message}
          {attempts > 1 && ` · ${t('{count} attempts', { count: attempts })}`}
        </div>
      </div>
      <When at={created_at} now={now} className={`faint ${rowClasses.time}`} />
    </article>
  );
}
