import { SegmentedControl, TextInput } from '@mantine/core';
import form from './form.module.css';
import type { ScheduleForm } from './schedule-form-state.ts';

/** The planning strategy and its limits. */
export function PlanningFields({
  value,
  set,
  problems,
}: {
  value: ScheduleForm;
  set: (change: Partial<ScheduleForm>) => void;
  problems: ReadonlyMap<string, string>;
}) {
  return (
    <section className="stack" aria-label="Planning">
      <h2>Planning</h2>
      <Choice
        label="How shifts are given out"
        value={value.strategy}
        onChange={(strategy) => set({ strategy })}
        data={[
          { value: 'fair', label: 'Fairly, around wishes' },
          { value: 'rotation', label: 'In a fixed order' },
        ]}
      />
      <Choice
        label="When somebody turns out to be away"
        value={value.cover}
        onChange={(cover) => set({ cover })}
        data={[
          { value: 'propose', label: 'Propose a cover' },
          { value: 'apply', label: 'Change the plan at once' },
        ]}
      />
      <Choice
        label="Public holidays"
        value={value.holidays}
        onChange={(holidays) => set({ holidays })}
        data={[
          { value: 'weight', label: 'Count for more' },
          { value: 'uncovered', label: 'Nobody is on call' },
        ]}
      />
      <div className={form.fields}>
        <TextInput
          type="number"
          min={1}
          max={104}
          label="Weeks planned ahead"
          value={value.weeks}
          onChange={(event) => set({ weeks: event.currentTarget.value })}
          error={problems.get('plan_ahead_weeks')}
        />
        <TextInput
          type="number"
          min={0}
          step="any"
          label="Hours of rest between two shifts"
          value={value.rest}
          onChange={(event) => set({ rest: event.currentTarget.value })}
          error={problems.get('rest_hours')}
        />
        <TextInput
          type="number"
          min={0}
          max={168}
          step="any"
          label="Hours away that do not cost a shift"
          description="Under a tenth of it; a cover is proposed for that time"
          value={value.smallAbsence}
          onChange={(event) => set({ smallAbsence: event.currentTarget.value })}
          error={problems.get('small_absence_hours')}
        />
      </div>
      <Choice
        label="Shifts of other schedules at the same time"
        value={value.elsewhere}
        onChange={(elsewhere) => set({ elsewhere })}
        data={[
          { value: 'allow', label: 'Do not matter' },
          { value: 'avoid', label: 'Avoid' },
          { value: 'never', label: 'Never' },
        ]}
      />
      <div className={form.fields}>
        {(['night', 'weekend', 'holiday'] as const).map((kind) => (
          <TextInput
            key={kind}
            type="number"
            min={0}
            max={100}
            step="any"
            label={`A ${kind} counts as much as`}
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
