import { Modal, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type HolidayCalendarShown, holidaysApi } from '../../../src/calendars/api-contract.ts';
import { send } from '../api/call.ts';
import { Unread } from '../kit/states.tsx';
import { formatsIn } from '../kit/time-formats.ts';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';

/** The days of a holiday calendar, a year at a time. */
export function HolidayDays({ calendar, close }: { calendar: HolidayCalendarShown; close: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['holiday-calendars', 'days', calendar.id],
    queryFn: () => send(holidaysApi.find, { params: { id: calendar.id } }),
  });
  const thisYear = String(useNow(60_000).getFullYear());
  const [chosen, setChosen] = useState<string | null>(null);
  const years = [...new Set(data?.days.map(({ date }) => date.slice(0, 4)))];
  const year = chosen ?? (years.includes(thisYear) ? thisYear : years.at(-1));
  return (
    <Modal opened onClose={close} title={t('Days of {name}', { name: calendar.name })}>
      <div className="stack">
        {!data && <Unread error={error} again={refetch} rows={6} />}
        {data && years.length === 0 && <p className="muted">{t('No holidays are known yet.')}</p>}
        {years.length > 0 && (
          <Select
            label={t('Year')}
            data={years}
            value={year ?? null}
            onChange={setChosen}
            allowDeselect={false}
          />
        )}
        {year !== undefined && (
          <ul
            className="card lines"
            style={{ listStyle: 'none', margin: 0, padding: 0 }}
            aria-label={t('Days of {name}', { name: year })}
          >
            {data?.days
              .filter(({ date }) => date.slice(0, 4) === year)
              .map(({ date, name }) => (
                <li key={date} className="line">
                  <time dateTime={date} className="muted" style={{ minWidth: '6em' }}>
                    {dayOf(date)}
                  </time>
                  <span className="grow">{name}</span>
                </li>
              ))}
          </ul>
        )}
      </div>
    </Modal>
  );
}

/** A date is that of the schedule's zone, so it is not converted. */
function dayOf(date: string): string {
  return formatsIn('UTC').day(Date.parse(date));
}
