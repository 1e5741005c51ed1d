import { ActionIcon, Button, MultiSelect, Select, TextInput } from '@mantine/core';
import type { SourceHours } from '../../../src/sources/contract.ts';
import { fieldError } from '../kit/field-error.ts';
import { zoneNames } from '../kit/zone-names.ts';
import { viewerZone } from '../kit/zones.ts';
import { t, tIn } from '../language/t.ts';
import form from '../schedules/form.module.css';
import { SHORT_DAYS, WEEKDAYS } from '../schedules/pattern-words.ts';

type Range = SourceHours['weekly'][number];

const WORKING_HOURS: Range = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' };

/** The most ranges that the service takes. */
const MOST_RANGES = 21;

const OUTSIDE: { value: SourceHours['outside']; label: string }[] = [
  { value: 'hold', label: t('Page when they begin, if it is still open') },
  { value: 'ignore', label: t('Page nobody') },
];

/** When the source pages: always, or at some hours of the week. */
export function HoursField({
  hours,
  change,
  error,
}: {
  hours: SourceHours | null;
  change: (hours: SourceHours | null) => void;
  error: Error | null;
}) {
  const begin = () => change({ zone: viewerZone().name, weekly: [WORKING_HOURS], outside: 'hold' });
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }} className="stack">
      <legend style={{ padding: 0 }}>
        <b>{t('Hours')}</b>
        <div className="muted">
          {hours ? t('It pages only during these hours of the week.') : t('It pages at any time.')}
        </div>
      </legend>
      {hours ? (
        <Hours hours={hours} change={change} error={error} />
      ) : (
        <div>
          <Button variant="default" onClick={begin}>
            {t('Restrict to certain hours')}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function Hours({
  hours,
  change,
  error,
}: {
  hours: SourceHours;
  change: (hours: SourceHours | null) => void;
  error: Error | null;
}) {
  const { zone, weekly, outside } = hours;
  const put = (index: number, next: Partial<Range>) =>
    change({ ...hours, weekly: weekly.map((one, at) => (at === index ? { ...one, ...next } : one)) });
  const remove = (index: number) =>
    change(weekly.length === 1 ? null : { ...hours, weekly: weekly.toSpliced(index, 1) });
  return (
    <>
      {weekly.map((range, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ranges have no id
        <RangeRow key={index} range={range} put={(next) => put(index, next)} remove={() => remove(index)} />
      ))}
      {fieldError(error, 'settings.hours') && (
        <p className="ink-alarm">{fieldError(error, 'settings.hours')}</p>
      )}
      <div>
        <Button
          variant="default"
          disabled={weekly.length >= MOST_RANGES}
          onClick={() => change({ ...hours, weekly: [...weekly, WORKING_HOURS] })}
        >
          {t('Add hours')}
        </Button>
      </div>
      <div className={form.fields}>
        <Select
          label={t('Time zone')}
          searchable
          data={zoneNames(zone)}
          value={zone}
          onChange={(chosen) => chosen && change({ ...hours, zone: chosen })}
          allowDeselect={false}
        />
        <Select
          label={t('Outside these hours')}
          data={OUTSIDE}
          value={outside}
          onChange={(chosen) => change({ ...hours, outside: chosen === 'ignore' ? 'ignore' : 'hold' })}
          allowDeselect={false}
        />
      </div>
    </>
  );
}

function RangeRow({
  range: { days, from, to },
  put,
  remove,
}: {
  range: Range;
  put: (next: Partial<Range>) => void;
  remove: () => void;
}) {
  return (
    <div className={form.hours}>
      <MultiSelect
        label={t('Days')}
        data={SHORT_DAYS.map((_, at) => ({
          value: String(at + 1),
          label: WEEKDAYS[at]?.slice(0, 3) ?? '',
        }))}
        value={days.map(String)}
        onChange={(chosen) => chosen.length > 0 && put({ days: chosen.map(Number).toSorted() })}
      />
      <TextInput
        type="time"
        label={tIn('a time of day, until another', 'from')}
        value={from}
        onChange={(event) => put({ from: event.currentTarget.value })}
      />
      <TextInput
        type="time"
        label={tIn('a time of day, from another', 'to')}
        value={to === '24:00' ? '00:00' : to}
        onChange={(event) => {
          const end = event.currentTarget.value;
          put({ to: end === '00:00' ? '24:00' : end });
        }}
      />
      <ActionIcon variant="default" size={34} aria-label={t('Remove these hours')} onClick={remove}>
        ✕
      </ActionIcon>
    </div>
  );
}
