import { Anchor, Select } from '@mantine/core';
import { useState } from 'react';
import { locale } from '../../../src/language/contract.ts';
import {
  WORKING_TIME,
  WORKING_TIME_NAMES,
  type WorkingTimeName,
} from '../../../src/schedules/working-time-contract.ts';
import { t } from '../language/t.ts';
import type { ScheduleForm } from './schedule-form-state.ts';

/** Fills in the rest and the weekly hours of a country's law. */
export function WorkingTimeField({
  value,
  set,
}: {
  value: ScheduleForm;
  set: (change: Partial<ScheduleForm>) => void;
}) {
  const [chosen, setChosen] = useState<WorkingTimeName | null>(null);
  const law = chosen && WORKING_TIME[chosen];
  const choose = (name: WorkingTimeName) => {
    const { restHours, hoursPerWeek } = WORKING_TIME[name];
    setChosen(name);
    set({ rest: `${restHours}`, limits: { ...value.limits, hours_per_week: `${hoursPerWeek}` } });
  };
  return (
    <div className="stack">
      <Select
        label={t('Fill in the limits of a law')}
        description={t('A help, no legal advice: whether standby at home counts as work differs.')}
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
          {t('{rest} hours of rest between two shifts, and at most {hours} hours a week.', {
            rest: law.restHours,
            hours: law.hoursPerWeek,
          })}{' '}
          {t('A shift of a whole week is longer than that: leave the weekly hours empty for it.')}{' '}
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
