import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { peopleQuery, sessionQuery } from '../api/queries.ts';
import { useNow } from '../kit/use-now.ts';
import { ListHead } from '../kit/view-head.tsx';
import { viewerZone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { stepFrom } from '../schedules/window.ts';
import { Calendar } from './calendar.tsx';
import { Coming } from './coming.tsx';
import { RecordDialog, type Saying } from './record-dialog.tsx';
import type { AvailabilitySearch } from './search.ts';
import { AvailabilityTabs } from './tabs.tsx';

/** When a person can be on call and when they cannot. */
export function AvailabilityView() {
  const { person = null, at: day } = useSearch({ from: '/availability' });
  const navigate = useNavigate({ from: '/availability' });
  const session = useQuery(sessionQuery).data;
  const people = useQuery(peopleQuery).data?.people ?? [];
  const now = useNow(60_000).getTime();
  const zone = viewerZone();
  const at = zone.ofDate(day) ?? now;
  const [saying, setSaying] = useState<Saying | null>(null);
  const look = (change: AvailabilitySearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  const step = (direction: 1 | -1) => look({ at: zone.date(stepFrom('month', at, direction, zone)) });
  const today = zone.startOfDay(now);
  return (
    <div className="view">
      <header className="stack">
        <ListHead name={t('Availability')} about={t('times in {zone}', { zone: zone.city })}>
          <Button onClick={() => setSaying({ first: today, last: today })}>{t('Add')}</Button>
        </ListHead>
        <AvailabilityTabs />
      </header>
      <div className="row wrap">
        <Button
          variant="default"
          onClick={() => look({ at: undefined })}
          disabled={zone.month(at) === zone.month(now)}
        >
          {t('Today')}
        </Button>
        <Button.Group>
          <Button variant="default" onClick={() => step(-1)} aria-label={t('Earlier month')}>
            ‹
          </Button>
          <Button variant="default" onClick={() => step(1)} aria-label={t('Later month')}>
            ›
          </Button>
        </Button.Group>
        <b aria-live="polite">{zone.month(at)}</b>
        <span className="grow" />
        <Select
          aria-label={t('Whose')}
          data={people.map(({ id, name }) => ({
            value: id,
            label: id === session?.user.id ? t('{name} (you)', { name }) : name,
          }))}
          value={person ?? session?.user.id ?? null}
          onChange={(id) => look({ person: id === session?.user.id ? undefined : (id ?? undefined) })}
          searchable
          allowDeselect={false}
        />
      </div>
      <Calendar
        {...{ person, at, zone, now }}
        onDays={(range) => setSaying(range)}
        onRecord={(record) => setSaying({ record })}
      />
      <Coming {...{ person, zone, now }} onRecord={(record) => setSaying({ record })} />
      {saying && <RecordDialog {...{ saying, person, zone, now }} close={() => setSaying(null)} />}
    </div>
  );
}
