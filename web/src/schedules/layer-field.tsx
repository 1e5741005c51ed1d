import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { t } from '../language/t.ts';
import form from './form.module.css';
import { MembersField } from './members-field.tsx';
import { PatternField } from './pattern-field.tsx';
import { toForm } from './pattern-words.ts';
import type { LayerForm } from './schedule-form-state.ts';
import { SeatsField } from './seats-field.tsx';
import { TIME_ZONES } from './time-zones.ts';

/** One layer of a stage: its people, and its own shifts or zone. */
export function LayerField({
  value,
  timeZone,
  team,
  onChange,
  remove,
  errors,
}: {
  value: LayerForm;
  /** The zone of the schedule. */
  timeZone: string;
  team: string | null;
  onChange: (value: LayerForm) => void;
  remove: () => void;
  errors: ReadonlyMap<string, string>;
}) {
  const set = (change: Partial<LayerForm>) => onChange({ ...value, ...change });
  return (
    <div className="stack" style={{ borderLeft: '2px solid var(--line)', paddingLeft: 16, gap: 12 }}>
      <div className={form.fields}>
        <TextInput
          label={t('Layer')}
          placeholder={t('Europe')}
          value={value.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={errors.get('name')}
          required
        />
        <Select
          label={t('Time zone')}
          data={TIME_ZONES}
          value={value.timeZone}
          placeholder={timeZone}
          onChange={(zone) => set({ timeZone: zone })}
          searchable
          clearable
          error={errors.get('time_zone')}
        />
        <SeatsField value={value.seats} onChange={(seats) => set({ seats })} error={errors.get('seats')} />
      </div>
      <Checkbox
        label={t('Shifts of its own')}
        checked={value.pattern !== null}
        onChange={(event) => set({ pattern: event.currentTarget.checked ? toForm({}) : null })}
      />
      {value.pattern && (
        <PatternField
          value={value.pattern}
          onChange={(pattern) => set({ pattern })}
          error={[...errors].find(([field]) => field.startsWith('shifts'))?.[1]}
        />
      )}
      <MembersField
        label={
          value.name
            ? t('Who takes turns in {name}', { name: value.name })
            : t('Who takes turns in this layer')
        }
        team={team}
        value={value.members}
        onChange={(members) => set({ members })}
        error={errors.get('members')}
      />
      <div>
        <Button variant="default" onClick={remove}>
          {t('Remove this layer')}
        </Button>
      </div>
    </div>
  );
}
