import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type HolidayCalendarShown, holidaysApi } from '../../../src/calendars/api-contract.ts';
import { send } from '../api/call.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { formatsIn } from '../kit/time-formats.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { AddHolidays } from './add-holidays.tsx';
import { HolidayDays } from './holiday-days.tsx';

const holidaysQuery = (scheduleId: string | null) => ({
  queryKey: ['holiday-calendars', scheduleId],
  queryFn: () => send(holidaysApi.list, { query: scheduleId === null ? {} : { schedule: scheduleId } }),
});

/** The public holiday calendars of a schedule; null: of the organization. `mayAdd`: the viewer may add some. */
export function Holidays({ scheduleId, mayAdd }: { scheduleId: string | null; mayAdd: boolean }) {
  const { data } = useQuery(holidaysQuery(scheduleId));
  const [adding, setAdding] = useState(false);
  if (!data) return null;
  return (
    <section className="stack" aria-label={t('Public holidays')}>
      <h2>{t('Public holidays')}</h2>
      <div className="card lines">
        {data.calendars.map((calendar) => (
          <HolidayLine key={calendar.id} calendar={calendar} />
        ))}
        <div className="line wrap">
          <span className="muted grow">
            {scheduleId === null
              ? t('Schedules without holidays of their own follow these.')
              : data.calendars.length === 0
                ? t(
                    'The schedule uses the holidays of the organization. Their effect is set above, under Planning.',
                  )
                : t('Their effect is set above, under Planning.')}
          </span>
          {mayAdd && (
            <Button variant="default" onClick={() => setAdding(true)}>
              {t('Add holidays')}
            </Button>
          )}
        </div>
      </div>
      {adding && <AddHolidays scheduleId={scheduleId} close={() => setAdding(false)} />}
    </section>
  );
}

function HolidayLine({ calendar }: { calendar: HolidayCalendarShown }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [showing, setShowing] = useState(false);
  const remove = useMutation({
    mutationFn: () => send(holidaysApi.remove, { params: { id: calendar.id } }),
    onSuccess: () => showToast(t('{name} is removed.', { name: calendar.name })),
    onError: showFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ['holiday-calendars'] }),
  });
  const { next, error, day_count: days } = calendar;
  return (
    <div className="line wrap">
      <span className="grow">
        <b>{calendar.name}</b>{' '}
        <span className={error ? 'ink-alarm' : 'muted'}>
          {error ??
            (next
              ? t('{count, plural, one {# day} other {# days}}, next {name} on {date}', {
                  count: days,
                  name: next.name,
                  // A date is that of the schedule's zone, so it is not converted.
                  date: formatsIn('UTC').shortDayAndYear(Date.parse(next.date)),
                })
              : t('{count, plural, one {# day} other {# days}}', { count: days }))}
        </span>
      </span>
      {!calendar.schedule && <span className="faint">{t('of the organization')}</span>}
      <Button
        variant="default"
        aria-label={t('Show the days of {name}', { name: calendar.name })}
        onClick={() => setShowing(true)}
      >
        {t('Days')}
      </Button>
      {calendar.may_manage && (
        <Button
          variant="default"
          aria-label={t('Remove {name}', { name: calendar.name })}
          onClick={() => setAsking(true)}
        >
          {t('Remove')}
        </Button>
      )}
      {showing && <HolidayDays calendar={calendar} close={() => setShowing(false)} />}
      {asking && (
        <ConfirmDialog
          title={t('Remove {name}?', { name: calendar.name })}
          keep={t('Keep it')}
          go={t('Remove it')}
          busy={remove.isPending}
          close={() => setAsking(false)}
          act={() => remove.mutate()}
        >
          {t('From the next plan on, its days are ordinary days.')}
        </ConfirmDialog>
      )}
    </div>
  );
}
