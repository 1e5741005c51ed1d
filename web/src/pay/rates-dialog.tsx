import { Button, Chip, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type PayTableShown, payApi, type VersionShown } from '../../../src/pay/api-contract.ts';
import { HOUR_CLASSES, MOST_STAGES, type Rates } from '../../../src/pay/contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { useFields } from '../kit/use-fields.ts';
import { t } from '../language/t.ts';
import classes from './pay.module.css';
import { asWritten, ratesOf, sentOf, valuesOf } from './rate-values.ts';
import { CLASS_NAMES, classWithin, KIND_NAMES, WEEKDAYS } from './words.ts';

const NOTHING = { standby: '0', night: '0', weekend: '0', holiday: '0' };
const USUAL: Rates = {
  on_call: NOTHING,
  called_out: { ...NOTHING, minimum_minutes: 60, step_minutes: 15, longest_hours: 12, on_call: 'continues' },
  overlap: 'highest',
  night: { from: '22:00', to: '06:00' },
  weekend: ['sat', 'sun'],
  working_hours: [],
};
const OFFICE: Rates['working_hours'] = [
  { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' },
];

type Props = {
  table: PayTableShown;
  /** The rates to change; null adds new ones, which begin like `like`. */
  version: VersionShown | null;
  like: VersionShown | null;
  close: () => void;
};

/** The rates of a table from a day on. */
export function RatesDialog({ table, version, like, close }: Props) {
  const [beginLike] = useState(like);
  const [from, setFrom] = useState(version?.from ?? '');
  const { values, set, changes } = useFields(
    valuesOf(version?.until ?? null, asWritten(version?.rates ?? beginLike?.rates ?? USUAL)),
  );
  const { until } = values;
  const rates = ratesOf(values);
  const setRates = (next: Rates) => set(valuesOf(until, next));
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const params = { id: table.id, from };
      return version
        ? send(payApi.changeRates, { params, body: sentOf(changes) })
        : send(payApi.putRates, {
            params,
            body: { ...(sentOf(values) as { until: string | null; rates: Rates }), only_new: true },
          });
    },
    onSuccess: async () => {
      close();
      await client.invalidateQueries({ queryKey: ['pay'] });
    },
  });
  return (
    <FormDialog
      title={t('Rates of {table}', { table: table.name })}
      close={close}
      send={() => save.mutate()}
      go={t('Save')}
      ready={from !== ''}
      busy={save.isPending}
      error={otherError(save.error, ['from', 'until', 'rates.on_call', 'rates.called_out', 'rates.stages'])}
    >
      <div className="row" style={{ alignItems: 'flex-start' }}>
        <TextInput
          type="date"
          className="grow"
          label={t('From')}
          data-autofocus
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
          disabled={version !== null}
          error={fieldError(save.error, 'from')}
          required
        />
        <TextInput
          type="date"
          className="grow"
          label={t('Until')}
          value={until}
          onChange={(event) => set({ until: event.currentTarget.value })}
          error={fieldError(save.error, 'until')}
        />
      </div>
      <Matrix rates={rates} set={setRates} error={save.error} currency={table.currency} />
      <StageFields rates={rates} set={setRates} error={save.error} />
      <Select
        label={t('When several classes apply')}
        data={[
          { value: 'highest', label: t('The highest rate is paid') },
          { value: 'add', label: t('Standby is paid, and the others are supplements') },
        ]}
        value={rates.overlap}
        onChange={(overlap) => setRates({ ...rates, overlap: overlap === 'add' ? 'add' : 'highest' })}
        allowDeselect={false}
      />
      <CallOutFields rates={rates} set={setRates} error={save.error} />
      <HourFields rates={rates} set={setRates} />
    </FormDialog>
  );
}

type Fields = { rates: Rates; set: (rates: Rates) => void };
type Refusable = Fields & { error: Error | null };
const KINDS = ['on_call', 'called_out'] as const;

function Matrix({ rates, set, error, currency }: Refusable & { currency: string }) {
  const errorOf = (kind: (typeof KINDS)[number], name: (typeof HOUR_CLASSES)[number]) =>
    fieldError(error, `rates.${kind}.${name}`);
  const errors = KINDS.flatMap((kind) => HOUR_CLASSES.map((name) => errorOf(kind, name)));
  return (
    <div className="stack tight">
      <table className={classes.matrix}>
        <thead>
          <tr>
            <th scope="col">{t('{currency} an hour', { currency })}</th>
            {KINDS.map((kind) => (
              <th key={kind} scope="col" style={{ paddingLeft: 8 }}>
                {KIND_NAMES[kind]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {HOUR_CLASSES.map((name) => (
            <tr key={name}>
              <th scope="row">{CLASS_NAMES[name]}</th>
              {KINDS.map((kind) => (
                <td key={kind}>
                  <TextInput
                    aria-label={t('{kind}, {class}', {
                      kind: KIND_NAMES[kind],
                      class: classWithin(name),
                    })}
                    inputMode="decimal"
                    maxLength={12}
                    error={errorOf(kind, name) !== null}
                    value={rates[kind][name]}
                    onChange={(event) =>
                      set({ ...rates, [kind]: { ...rates[kind], [name]: event.currentTarget.value } })
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Problem text={[...new Set(errors)].filter(Boolean).join(' ')} />
    </div>
  );
}

/** What is wrong with one of several small fields, which is marked. */
function Problem({ text }: { text: string | null }) {
  if (!text) return null;
  return (
    <p role="alert" className="ink-alarm">
      {text}
    </p>
  );
}

/** Rates of stages that are paid otherwise, such as the second one. */
function StageFields({ rates, set, error }: Refusable) {
  const { stages = [] } = rates;
  const change = (index: number, one: Partial<StageRates>) =>
    set({ ...rates, stages: stages.map((own, at) => (at === index ? { ...own, ...one } : own)) });
  const next = Math.max(1, ...stages.map(({ from_stage }) => from_stage)) + 1;
  return (
    <section className="stack" aria-label={t('Other rates for later stages')}>
      {stages.map(({ from_stage: stage, on_call }, index) => (
        // The number of an entry is edited, and entries have no other name.
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are added at the end
        <div key={index} className="stack tight">
          <div className="row" style={{ alignItems: 'flex-end' }}>
            <NumberInput
              className="grow"
              label={t('From stage')}
              value={stage}
              onChange={(value) => change(index, { from_stage: Number(value) })}
              min={0}
            />
            <Button
              variant="subtle"
              onClick={() => set({ ...rates, stages: stages.filter((_, at) => at !== index) })}
              aria-label={t('Remove the rates from stage {stage}', { stage })}
            >
              {t('Remove')}
            </Button>
          </div>
          <div className={classes.several}>
            {HOUR_CLASSES.map((name) => (
              <TextInput
                key={name}
                error={fieldError(error, `rates.stages[${index}].on_call.${name}`) !== null}
                label={CLASS_NAMES[name]}
                aria-label={t('From stage {stage}, {class}', {
                  stage,
                  class: classWithin(name),
                })}
                inputMode="decimal"
                maxLength={12}
                value={on_call[name]}
                onChange={(event) =>
                  change(index, { on_call: { ...on_call, [name]: event.currentTarget.value } })
                }
              />
            ))}
          </div>
        </div>
      ))}
      <Problem text={fieldError(error, 'rates.stages')} />
      {stages.length < MOST_STAGES && (
        <div>
          <Button
            variant="default"
            onClick={() =>
              set({ ...rates, stages: [...stages, { from_stage: next, on_call: rates.on_call }] })
            }
          >
            {t('Other rates from a stage on')}
          </Button>
        </div>
      )}
    </section>
  );
}

type StageRates = NonNullable<Rates['stages']>[number];

function CallOutFields({ rates, set, error }: Refusable) {
  const { called_out } = rates;
  const number = (
    key: 'minimum_minutes' | 'step_minutes' | 'longest_hours',
    label: string,
    [min, max]: readonly [number, number],
  ) => (
    <NumberInput
      label={label}
      error={fieldError(error, `rates.called_out.${key}`)}
      value={called_out[key]}
      onChange={(value) => set({ ...rates, called_out: { ...called_out, [key]: Number(value) } })}
      {...{ min, max }}
      // An empty field would become the least number, such as one hour for a page, without a word.
      clampBehavior="none"
      allowDecimal={false}
    />
  );
  return (
    <>
      <div className={classes.several}>
        {number('minimum_minutes', t('Minimum call-out, min'), [0, 480])}
        {number('step_minutes', t('Rounded up to, min'), [1, 60])}
        {number('longest_hours', t('At most for a page, h'), [1, 72])}
      </div>
      <Switch
        label={t('Standby is paid during a call-out as well')}
        checked={called_out.on_call === 'continues'}
        onChange={(event) =>
          set({
            ...rates,
            called_out: { ...called_out, on_call: event.currentTarget.checked ? 'continues' : 'replaced' },
          })
        }
      />
    </>
  );
}

function HourFields({ rates, set }: Fields) {
  const { night, weekend, working_hours } = rates;
  const [working] = working_hours;
  const time = (label: string, value: string, change: (text: string) => void) => (
    <TextInput
      type="time"
      className="grow"
      label={label}
      value={value}
      onChange={(event) => event.currentTarget.value !== '' && change(event.currentTarget.value)}
    />
  );
  return (
    <>
      <div className="row">
        {time(t('Night from'), night.from, (from) => set({ ...rates, night: { ...night, from } }))}
        {time(t('Night to'), night.to, (to) => set({ ...rates, night: { ...night, to } }))}
      </div>
      <Days label={t('Weekend')} days={weekend} set={(days) => set({ ...rates, weekend: days })} />
      <Switch
        label={t('Working hours are not paid, except on holidays')}
        checked={working !== undefined}
        onChange={(event) => set({ ...rates, working_hours: event.currentTarget.checked ? OFFICE : [] })}
      />
      {working && working_hours.length === 1 && (
        <>
          <Days
            label={t('Working days')}
            days={working.days}
            set={(days) => days.length > 0 && set({ ...rates, working_hours: [{ ...working, days }] })}
          />
          <div className="row">
            {time(t('Work from'), working.from, (from) =>
              set({ ...rates, working_hours: [{ ...working, from }] }),
            )}
            {time(t('Work to'), working.to, (to) => set({ ...rates, working_hours: [{ ...working, to }] }))}
          </div>
        </>
      )}
    </>
  );
}

type WeekDays = Rates['weekend'];

function Days({ label, days, set }: { label: string; days: WeekDays; set: (days: WeekDays) => void }) {
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
      <legend style={{ fontSize: 14, fontWeight: 500, marginBottom: 6 }}>{label}</legend>
      <Chip.Group
        multiple
        value={days}
        onChange={(chosen) => set(WEEKDAYS.map(({ value }) => value).filter((day) => chosen.includes(day)))}
      >
        <div className="row wrap" style={{ gap: 6 }}>
          {WEEKDAYS.map(({ value, label: name }) => (
            <Chip key={value} value={value} size="xs">
              {name}
            </Chip>
          ))}
        </div>
      </Chip.Group>
    </fieldset>
  );
}
