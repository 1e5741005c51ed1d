import { SegmentedControl, Switch, TextInput } from '@mantine/core';
import { t, tIn } from '../language/t.ts';
import form from './form.module.css';
import type { FormPart } from './schedule-form-state.ts';

const COUNTS = {
  night: t('Weight of nights'),
  weekend: t('Weight of weekends'),
  holiday: t('Weight of holidays'),
};

/** The planning strategy and its limits. */
export function PlanningFields({ value, set, problems }: FormPart) {
  return (
    <section className="stack" aria-label={t('Planning')}>
      <h2>{t('Planning')}</h2>
      <Choice
        label={t('How shifts are assigned')}
        value={value.strategy}
        onChange={(strategy) => set({ strategy })}
        data={[
          { value: 'fair', label: t('Fairly, respecting preferences') },
          { value: 'rotation', label: t('In a fixed rotation') },
        ]}
      />
      <Choice
        label={t('When a planned person is away')}
        value={value.cover}
        onChange={(cover) => set({ cover })}
        data={[
          { value: 'propose', label: t('Propose a cover') },
          { value: 'apply', label: t('Change the plan immediately') },
        ]}
      />
      <Choice
        label={t('Public holidays')}
        value={value.holidays}
        onChange={(holidays) => set({ holidays })}
        data={[
          { value: 'weight', label: t('Count for more') },
          { value: 'uncovered', label: t('Nobody is on call') },
        ]}
      />
      <div className={form.fields}>
        <TextInput
          type="number"
          min={1}
          max={104}
          label={t('Weeks planned ahead')}
          value={value.weeks}
          onChange={(event) => set({ weeks: event.currentTarget.value })}
          error={problems.get('plan_ahead_weeks')}
        />
        <TextInput
          type="number"
          min={0}
          step="any"
          label={t('Hours of rest between two shifts')}
          value={value.rest}
          onChange={(event) => set({ rest: event.currentTarget.value })}
          error={problems.get('rest_hours')}
        />
        <TextInput
          type="number"
          min={0}
          max={168}
          step="any"
          label={t('Hours away that still allow a shift')}
          description={t(
            'A longer absence excludes a person from the shift, and so does one of a tenth of it or more. For a shorter one, a cover is proposed.',
          )}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={value.smallAbsence}
          onChange={(event) => set({ smallAbsence: event.currentTarget.value })}
          error={problems.get('small_absence_hours')}
        />
      </div>
      <Choice
        label={t('Shifts of other schedules at the same time')}
        value={value.elsewhere}
        onChange={(elsewhere) => set({ elsewhere })}
        data={[
          { value: 'allow', label: t('Do not matter') },
          { value: 'avoid', label: t('Avoid') },
          { value: 'never', label: tIn('not allowed', 'Never') },
        ]}
      />
      <Switch
        label={t('Count shifts of other schedules')}
        description={t('For rest, limits and equal shares. Published shifts stay as they are.')}
        checked={value.countElsewhere}
        onChange={({ currentTarget }) => set({ countElsewhere: currentTarget.checked })}
        error={problems.get('count_elsewhere')}
      />
      <p className="muted">
        {t(
          'The weights say how much equal shares of nights, weekends and holidays matter. 1 is usual, 2 is twice as much, and 0 leaves them out.',
        )}
      </p>
      <div className={form.fields}>
        {(['night', 'weekend', 'holiday'] as const).map((kind) => (
          <TextInput
            key={kind}
            type="number"
            min={0}
            max={100}
            step="any"
            label={COUNTS[kind]}
            value={value.weights[kind]}
            onChange={(event) => set({ weights: { ...value.weights, [kind]: event.currentTarget.value } })}
            error={problems.get(`weights.${kind}`)}
          />
        ))}
      </div>
    </section>
  );
}

function Choice<Value extends string>({
  label,
  value,
  onChange,
  data,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  data: { value: Value; label: string }[];
}) {
  return (
    <div className="row wrap">
      <span className={form.choice}>{label}</span>
      <SegmentedControl
        aria-label={label}
        value={value}
        onChange={(chosen) => onChange(chosen as Value)}
        data={data}
      />
    </div>
  );
}
