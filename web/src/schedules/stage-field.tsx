import { Button, TextInput } from '@mantine/core';
import { t } from '../language/t.ts';
import form from './form.module.css';
import { LayerField } from './layer-field.tsx';
import { LinkField } from './link-field.tsx';
import { MembersField } from './members-field.tsx';
import { newLayer, type StageForm } from './schedule-form-state.ts';
import { SeatsField } from './seats-field.tsx';

/** One stage: its people, its seats, and the time until the next stage is notified. */
export function StageField({
  value,
  onChange,
  remove,
  errors,
  timeZone,
  team,
  own,
}: {
  value: StageForm;
  onChange: (value: StageForm) => void;
  /** Null for the only stage, which cannot be removed. */
  remove: (() => void) | null;
  /** Problems by field within the stage. */
  errors: ReadonlyMap<string, string>;
  timeZone: string;
  team: string | null;
  /** The id of the schedule; null for a new one. */
  own: string | null;
}) {
  const set = (change: Partial<StageForm>) => onChange({ ...value, ...change });
  const { layers, linkedTo } = value;
  return (
    <fieldset className="card pad stack" style={{ gap: 16, margin: 0, minWidth: 0 }}>
      <legend className="visually-hidden">{t('Stage {stage}', { stage: value.stage })}</legend>
      <div className={form.fields}>
        <TextInput
          type="number"
          step="any"
          min={0}
          label={t('Stage')}
          value={value.stage}
          onChange={(event) => set({ stage: event.currentTarget.value })}
          error={errors.get('stage')}
          required
        />
        <TextInput
          type="number"
          step="any"
          min={0.02}
          label={t('Escalate after (minutes)')}
          value={value.minutes}
          onChange={(event) => set({ minutes: event.currentTarget.value })}
          error={errors.get('escalate_after_minutes')}
          required
        />
        {layers.length === 0 && !linkedTo && (
          <SeatsField value={value.seats} onChange={(seats) => set({ seats })} error={errors.get('seats')} />
        )}
      </div>
      {linkedTo ? (
        <LinkField
          value={linkedTo}
          onChange={(changed) => set({ linkedTo: changed })}
          own={own}
          errors={within(errors, 'linked_to.')}
        />
      ) : layers.length === 0 ? (
        <>
          <MembersField
            label={t('Who takes turns in stage {stage}', { stage: value.stage })}
            team={team}
            value={value.members}
            onChange={(members) => set({ members })}
            error={errors.get('members')}
          />
          {value.members.length === 0 && (
            <p className="muted">{t('Until somebody takes turns here, pages skip this stage.')}</p>
          )}
        </>
      ) : (
        layers.map((layer, index) => (
          <LayerField
            // biome-ignore lint/suspicious/noArrayIndexKey: layers have no id
            key={index}
            value={layer}
            timeZone={timeZone}
            team={team}
            onChange={(changed) => set({ layers: layers.with(index, changed) })}
            remove={() => set({ layers: layers.toSpliced(index, 1) })}
            errors={within(errors, `layers[${index}].`)}
          />
        ))
      )}
      {errors.get('layers') && (
        <p role="alert" className="ink-alarm">
          {errors.get('layers')}
        </p>
      )}
      <div className="row wrap">
        {!linkedTo && (
          <Button
            variant="default"
            onClick={() => set({ layers: [...layers, newLayer(layers.length === 0 ? value : null)] })}
          >
            {layers.length === 0 ? t('Split into layers, such as Europe and America') : t('Add a layer')}
          </Button>
        )}
        {layers.length === 0 && (
          <Button
            variant="default"
            onClick={() => set({ linkedTo: linkedTo ? null : { schedule: null, stage: '1' } })}
          >
            {linkedTo ? t('Choose people instead') : t('Use the people of another schedule')}
          </Button>
        )}
        <span className="grow" />
        {remove && (
          <Button variant="default" onClick={remove}>
            {t('Remove stage {stage}', { stage: value.stage })}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

/** The problems below `prefix`, by field within it. */
export function within(errors: ReadonlyMap<string, string>, prefix: string): Map<string, string> {
  return new Map(
    [...errors]
      .filter(([field]) => field.startsWith(prefix))
      .map(([field, message]) => [field.slice(prefix.length), message]),
  );
}
