import { ActionIcon, Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { weekdayName } from '../../../src/calendars/repeat-words-contract.ts';
import { listed, t, tIn } from '../language/t.ts';
import form from './form.module.css';
import { endOfDay, type PatternForm, SHORT_DAYS, USUAL_HOURS, WEEKDAYS } from './pattern-words.ts';

const KINDS = [
  { value: 'week', label: t('Every week') },
  { value: 'day', label: t('Every day') },
  { value: 'weeks', label: t('Every so many weeks') },
  { value: 'days', label: t('Every so many days') },
  { value: 'hours', label: t('Every so many hours') },
  { value: 'rule', label: t('By a recurrence rule') },
];

const COUNTED = {
  weeks: t('How many weeks'),
  days: t('How many days'),
  hours: t('How many hours'),
};

/** The shift pattern: when shifts change hands. */
export function PatternField({
  value,
  onChange,
  error,
}: {
  value: PatternForm;
  onChange: (value: PatternForm) => void;
  error?: string | undefined;
}) {
  const set = (change: Partial<PatternForm>) => onChange({ ...value, ...change });
  const { kind, hours } = value;
  const counted = kind === 'weeks' || kind === 'days' || kind === 'hours' ? COUNTED[kind] : null;
  return (
    <div className="stack">
      <div className={form.fields}>
        <Select
          label={t('Hand-off')}
          data={KINDS}
          value={kind}
          onChange={(chosen) => chosen && set({ kind: chosen as PatternForm['kind'] })}
          allowDeselect={false}
        />
        {counted && (
          <TextInput
            type="number"
            label={counted}
            min={1}
            value={value.count}
            onChange={(event) => set({ count: Number(event.currentTarget.value) })}
          />
        )}
        {(kind === 'week' || kind === 'weeks') && (
          <Select
            label={t('On')}
            data={WEEKDAYS.map((value, day) => ({ value, label: weekdayName(day) }))}
            value={value.weekday}
            onChange={(weekday) => weekday && set({ weekday })}
            allowDeselect={false}
          />
        )}
        <TextInput
          type="time"
          label={t('At')}
          value={value.time}
          onChange={(event) => set({ time: event.currentTarget.value })}
          required
        />
        {kind !== 'day' && kind !== 'week' && (
          <TextInput
            type="date"
            label={t('Counted from')}
            value={value.startsOn}
            onChange={(event) => set({ startsOn: event.currentTarget.value })}
          />
        )}
        {kind === 'rule' && (
          <TextInput
            label={t('Rule (RFC 5545)')}
            className={form.wide}
            value={value.rule}
            onChange={(event) => set({ rule: event.currentTarget.value })}
          />
        )}
      </div>
      {hours?.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
        <div key={index} className={form.hours}>
          <MultiSelect
            label={t('On call only on these days')}
            data={SHORT_DAYS.map((day, at) => ({ value: day, label: WEEKDAYS[at]?.slice(0, 3) ?? day }))}
            value={one.days}
            onChange={(days) => set({ hours: hours.with(index, { ...one, days: inOrder(days) }) })}
          />
          <TextInput
            type="time"
            label={tIn('a time of day, until another', 'from')}
            value={one.from}
            onChange={(event) =>
              set({ hours: hours.with(index, { ...one, from: event.currentTarget.value }) })
            }
          />
          <TextInput
            type="time"
            label={tIn('a time of day, from another', 'to')}
            value={one.to === '24:00' ? '00:00' : one.to}
            onChange={(event) =>
              set({ hours: hours.with(index, { ...one, to: endOfDay(event.currentTarget.value) }) })
            }
          />
          <ActionIcon
            variant="default"
            size={34}
            aria-label={t('Remove these hours')}
            onClick={() => set({ hours: hours.length === 1 ? null : hours.toSpliced(index, 1) })}
          >
            ✕
          </ActionIcon>
        </div>
      ))}
      <div className="row wrap">
        <Button variant="default" onClick={() => set({ hours: [...(hours ?? []), USUAL_HOURS] })}>
          {hours ? t('Add hours') : t('Restrict to certain hours')}
        </Button>
        {hours && (
          <span className="muted">
            {t('Outside these hours, the backstop answers, because nobody is on call.')}
          </span>
        )}
      </div>
      {Object.keys(value.rest).length > 0 && (
        <p className="muted">
          {t("Settings from the operator's file stay as they are: {properties}.", {
            properties: listed(Object.keys(value.rest)),
          })}
        </p>
      )}
      {error && (
        <p role="alert" className="ink-alarm">
          {error}
        </p>
      )}
    </div>
  );
}

function inOrder(days: readonly string[]): string[] {
  return SHORT_DAYS.filter((day) => days.includes(day));
}
