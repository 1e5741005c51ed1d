import { Button, Checkbox } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SourceShown } from '../../../src/availability/sources-api-contract.ts';
import { sourcesApi } from '../../../src/availability/sources-api-contract.ts';
import { send } from '../api/call.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Pill } from '../kit/pill.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { useNow } from '../kit/use-now.ts';
import { ListHead } from '../kit/view-head.tsx';
import { viewerZone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { KINDS, privateWords } from './kinds.ts';
import { sourcesQuery } from './queries.ts';
import { useRecordsChanged } from './removing.ts';
import { SourceDialog } from './source-dialog.tsx';
import { AvailabilityTabs } from './tabs.tsx';

/** External calendars from which absences are imported. */
export function CalendarsView() {
  const { data, error, refetch } = useQuery(sourcesQuery);
  const [adding, setAdding] = useState(false);
  const add = <Button onClick={() => setAdding(true)}>{t('Follow a calendar')}</Button>;
  return (
    <div className="view">
      <header className="stack">
        <ListHead name={t('Availability')} about={t('times in {zone}', { zone: viewerZone().city })}>
          {data && data.sources.length > 0 && add}
        </ListHead>
        <AvailabilityTabs />
      </header>
      {!data && <Unread error={error} again={refetch} rows={2} />}
      {data?.sources.length === 0 && (
        <Empty action={add}>
          {t(
            'Your absences can follow a calendar that you already keep: when an event moves, so does the absence.',
          )}
        </Empty>
      )}
      {data && data.sources.length > 0 && (
        <div className="card lines">
          {data.sources.map((source) => (
            <SourceLine key={source.id} source={source} />
          ))}
        </div>
      )}
      {adding && <SourceDialog close={() => setAdding(false)} />}
    </div>
  );
}

function SourceLine({ source }: { source: SourceShown }) {
  const now = useNow(60_000).getTime();
  const zone = viewerZone();
  const [asking, setAsking] = useState(false);
  const changed = useRecordsChanged();
  const params = { id: source.id };
  const check = useMutation({
    mutationFn: () => send(sourcesApi.check, { params }),
    async onSuccess() {
      showToast(t('{name} was read.', { name: source.name }));
      await changed();
    },
    onError: showFailure,
  });
  const hide = useMutation({
    mutationFn: (isPrivate: boolean) => send(sourcesApi.change, { params, body: { private: isPrivate } }),
    async onSuccess(_, isPrivate) {
      showToast(
        isPrivate
          ? t('The titles of {name} are private.', { name: source.name })
          : t('Others see the titles of {name}.', { name: source.name }),
      );
      await changed();
    },
    onError: showFailure,
  });
  const remove = useMutation({
    mutationFn: () => send(sourcesApi.remove, { params }),
    async onSuccess() {
      showToast(t('{name} is no longer followed.', { name: source.name }));
      await changed();
    },
    onError: showFailure,
  });
  return (
    <div className="line wrap">
      <div className="grow">
        <b>{source.name}</b> <span className="muted">{source.host ?? t('a file')}</span>
        <div className={source.error ? 'ink-alarm' : 'muted'}>
          {source.error ??
            (source.checked_at
              ? t('{count, plural, one {# absence} other {# absences}}, read {time}', {
                  count: source.record_count,
                  time: zone.moment(Date.parse(source.checked_at), now),
                })
              : t('{count, plural, one {# absence} other {# absences}}', { count: source.record_count }))}
        </div>
      </div>
      <Checkbox
        label={t('Private')}
        aria-label={`${source.name}. ${privateWords(source.type)}`}
        checked={hide.isPending ? hide.variables : source.private}
        disabled={hide.isPending}
        onChange={(event) => hide.mutate(event.currentTarget.checked)}
      />
      <Pill tone={KINDS[source.type].tone}>{KINDS[source.type].short}</Pill>
      {source.host && (
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          {t('Read it now')}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('Stop')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('Stop following {name}?', { name: source.name })}
          keep={t('Keep following it')}
          go={t('Stop')}
          busy={remove.isPending}
          close={() => setAsking(false)}
          act={() => remove.mutate()}
        >
          {t('Its current and future absences are removed with it.')}
        </ConfirmDialog>
      )}
    </div>
  );
}
