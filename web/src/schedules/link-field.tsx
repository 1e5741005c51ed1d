import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../language/t.ts';
import form from './form.module.css';
import { schedulesQuery } from './queries.ts';
import type { StageForm } from './schedule-form-state.ts';

type Link = NonNullable<StageForm['linkedTo']>;

/** The stage of another schedule whose people answer in this stage, too. */
export function LinkField({
  value,
  onChange,
  own,
  errors,
}: {
  value: Link;
  onChange: (value: Link) => void;
  /** The schedule that is edited, which cannot be chosen; null for a new one. */
  own: string | null;
  errors: ReadonlyMap<string, string>;
}) {
  const others = (useQuery(schedulesQuery).data?.schedules ?? []).filter(({ id }) => id !== own);
  const stages = others.find(({ id }) => id === value.schedule)?.stages ?? [];
  return (
    <div className={form.fields}>
      <Select
        label={t('Schedule')}
        description={t('The people who are on call there also answer here.')}
        placeholder={t('Choose a schedule')}
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
        value={value.schedule}
        onChange={(schedule) => {
          const first = others.find(({ id }) => id === schedule)?.stages[0];
          onChange({ schedule, stage: `${first?.stage ?? 1}` });
        }}
        error={errors.get('schedule')}
        allowDeselect={false}
        searchable
        required
      />
      {stages.length > 1 && (
        <Select
          label={t('Stage of that schedule')}
          data={stages.map(({ stage }) => `${stage}`)}
          value={value.stage}
          onChange={(stage) => stage !== null && onChange({ ...value, stage })}
          error={errors.get('stage')}
          allowDeselect={false}
          required
        />
      )}
      {stages.length <= 1 && errors.get('stage') && (
        <p role="alert" className="ink-alarm">
          {errors.get('stage')}
        </p>
      )}
    </div>
  );
}
