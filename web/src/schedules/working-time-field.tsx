import { Anchor, Select } from '@mantine/core';
import { useState } from 'react';
import { locale } from '../../../src/language/contract.ts';
import {
  lawfulLimits,
  WORKING_TIME,
  WORKING_TIME_NAMES,
  type WorkingTime,
  type WorkingTimeName,
} from '../../../src/schedules/working-time-contract.ts';
import { t } from '../language/t.ts';
import type { ScheduleForm } from './schedule-form-state.ts';

/** Fills in the rest, the weekly hours and the weekly rest of a country's law. */
export function WorkingTimeField({
  value,
  set,
}: {
  value: ScheduleForm;
  set: (change: Partial<ScheduleForm>) => void;
}) {
  const [chosen, setChosen] = useState<WorkingTimeName | null>(null);
  const law: WorkingTime | null = chosen && WORKING_TIME[chosen];
  const choose = (name: WorkingTimeName) => {
    const limits = Object.entries(lawfulLimits(name)).map(([field, most]) => [field, `${most ?? ''}`]);
    setChosen(name);
    set({
      rest: `${WORKING_TIME[name].restHours}`,
      limits: { ...value.limits, ...Object.fromEntries(limits) },
    });
  };
  return (
    <div className="stack">
      <Select
        label={t('Fill in the limits of a law')}
        description={t(
          'A starting point, not legal advice: whether standby at home counts as working time depends on the country.',
        )}
        placeholder={t('Choose a country')}
        data={WORKING_TIME_NAMES.map((name) => ({
          value: name,
          label: regionName(WORKING_TIME[name].region),
        }))}
        value={chosen}
        onChange={(name) => name && choose(name as WorkingTimeName)}
        searchable
        allowDeselect={false}
      />
      {law && (
        <p className="muted">
          {t('{rest} hours of rest between two shifts, and {free} free hours in a row in each week.', {
            rest: law.restHours,
            free: law.weeklyRestHours,
          })}{' '}
          {law.hoursPerWeek !== undefined &&
            `${t('At most {hours} hours in any week.', { hours: law.hoursPerWeek })} `}
          {law.average &&
            `${t('At most {hours} hours a week on average over {weeks} weeks.', {
              hours: law.average.hoursPerWeek,
              weeks: law.average.weeks,
            })} `}
          {t('Shifts of a whole week cannot keep any of these limits: leave them empty.')}{' '}
          <Anchor href={law.url} target="_blank" rel="noreferrer">
            {law.source}
          </Anchor>
        </p>
      )}
    </div>
  );
}

/** `Germany`, `European Union`, in the language of the dashboard. */
function regionName(code: string): string {
  return new Intl.DisplayNames(locale(), { type: 'region' }).of(code) ?? code;
}
