import { Button, Select, TextInput } from '@mantine/core';
import { USUAL_AVERAGE_WEEKS } from '../../../src/schedules/average-weeks-contract.ts';
import { LIMIT_FIELDS, type LimitField } from '../../../src/schedules/limits-contract.ts';
import { t, tIn } from '../language/t.ts';
import form from './form.module.css';
import { MemberRows, PersonSelect } from './member-rows.tsx';
import type { FormPart, ScheduleForm } from './schedule-form-state.ts';
import { useMembers } from './use-members.ts';
import { WorkingTimeField } from './working-time-field.tsx';

const LABELS: Record<LimitField, string> = {
  shifts_per_week: t('Shifts a week'),
  shifts_per_month: t('Shifts a month'),
  hours_per_week: t('Hours a week'),
  average_hours_per_week: t('Hours a week on average'),
  average_weeks: t('Weeks of the average'),
  weekly_rest_hours: t('Free hours in a row each week, at least'),
  weekends_per_month: t('Weekends a month'),
  weekends_in_a_row: t('Weekends in a row'),
  nights_in_a_row: t('Nights in a row'),
  shifts_in_a_row: t('Shifts in a row'),
};
const FIELDS = Object.values(LIMIT_FIELDS);
const ANY = t('Any number');
const EMPTY: Partial<Record<LimitField, string>> = {
  average_weeks: `${USUAL_AVERAGE_WEEKS}`,
  weekly_rest_hours: t('No weekly rest'),
};

/** What one person may have at most, and for whom something else counts. */
export function LimitFields({ value, set, problems }: FormPart) {
  if (value.strategy !== 'fair') return null;
  return (
    <section className="stack" aria-label={t('Limits')}>
      <h2>{t('At most for one person')}</h2>
      <p className="muted">
        {t(
          'Plans never exceed these limits. If nobody else is available, a shift stays open, and you can put somebody on call yourself. Two shifts are in a row if less than a day lies between them. A week is from Monday to Sunday.',
        )}
      </p>
      <div className={form.fields}>
        {FIELDS.map((field) => (
          <TextInput
            key={field}
            type="number"
            min={1}
            step={field.includes('hours') ? 'any' : 1}
            placeholder={EMPTY[field] ?? ANY}
            label={LABELS[field]}
            value={value.limits[field] ?? ''}
            onChange={({ currentTarget }) =>
              set({ limits: { ...value.limits, [field]: currentTarget.value } })
            }
            error={problems.get(`limits.${field}`)}
          />
        ))}
      </div>
      <WorkingTimeField value={value} set={set} />
      <OwnLimits value={value} set={set} />
    </section>
  );
}

/** A line for each limit that is different for a person. */
function OwnLimits({ value, set }: { value: ScheduleForm; set: (change: Partial<ScheduleForm>) => void }) {
  const members = useMembers(value);
  const { ownLimits } = value;
  const [first] = members;
  return (
    <div className="stack">
      <MemberRows
        rows={ownLimits}
        onChange={(rows) => set({ ownLimits: rows })}
        layout="line"
        removeLabel={() => t('Remove this limit')}
      >
        {(own, change) => (
          <>
            <PersonSelect
              label={t('For')}
              people={members}
              value={own.person}
              onChange={(person) => change({ ...own, person })}
            />
            <Select
              label={t('at most')}
              data={FIELDS.map((field) => ({ value: field, label: LABELS[field] }))}
              value={own.limit}
              onChange={(limit) => limit && change({ ...own, limit: limit as LimitField })}
              allowDeselect={false}
            />
            <TextInput
              type="number"
              min={1}
              step="any"
              placeholder={EMPTY[own.limit] ?? ANY}
              label={tIn('how many', 'Number')}
              value={own.most}
              onChange={({ currentTarget }) => change({ ...own, most: currentTarget.value })}
            />
          </>
        )}
      </MemberRows>
      {first && (
        <div>
          <Button
            variant="default"
            onClick={() =>
              set({ ownLimits: [...ownLimits, { person: first.id, limit: 'weekends_per_month', most: '1' }] })
            }
          >
            {t('Add a limit for one person')}
          </Button>
        </div>
      )}
    </div>
  );
}
