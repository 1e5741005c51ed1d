import { ActionIcon, Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { t } from '../language/t.ts';
import form from './form.module.css';
import { endOfDay, SHORT_DAYS, WEEKDAYS } from './pattern-words.ts';
import type { ScheduleForm } from './schedule-form-state.ts';
import { useMembers } from './use-members.ts';

/** When single people are not on call: weekly times that they never take, and days before they join or after they leave. */
export function PersonTimeFields({
  value,
  set,
}: {
  value: ScheduleForm;
  set: (change: Partial<ScheduleForm>) => void;
}) {
  const members = useMembers(value);
  const { never, dates } = value;
  const [first] = members;
  if (!first) return null;
  const data = members.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <section className="stack" aria-label={t('Times of single people')}>
      <h2>{t('When single people are not on call')}</h2>
      <p className="muted">
        {t(
          'In the time zone of the schedule. A shift that touches such a time goes to somebody else. A single absence belongs under Availability instead.',
        )}
      </p>
      {never.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id
        <div key={index} className={form.never}>
          <Select
            label={t('Person')}
            data={data}
            value={one.person}
            onChange={(person) => person && set({ never: never.with(index, { ...one, person }) })}
            allowDeselect={false}
            searchable
          />
          <MultiSelect
            label={t('is never on call on')}
            data={SHORT_DAYS.map((day, at) => ({ value: day, label: WEEKDAYS[at]?.slice(0, 3) ?? day }))}
            value={one.days}
            onChange={(days) => set({ never: never.with(index, { ...one, days }) })}
          />
          <TextInput
            type="time"
            label="from"
            value={one.from}
            onChange={({ currentTarget }) =>
              set({ never: never.with(index, { ...one, from: currentTarget.value }) })
            }
          />
          <TextInput
            type="time"
            label="to"
            value={one.to === '24:00' ? '00:00' : one.to}
            onChange={({ currentTarget }) =>
              set({ never: never.with(index, { ...one, to: endOfDay(currentTarget.value) }) })
            }
          />
          <ActionIcon
            variant="default"
            size={34}
            aria-label={t('Remove this time')}
            onClick={() => set({ never: never.toSpliced(index, 1) })}
          >
            ✕
          </ActionIcon>
        </div>
      ))}
      {dates.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id
        <div key={index} className={form.dates}>
          <Select
            label={t('Person')}
            data={data}
            value={one.person}
            onChange={(person) => person && set({ dates: dates.with(index, { ...one, person }) })}
            allowDeselect={false}
            searchable
          />
          <TextInput
            type="date"
            label={t('First day')}
            value={one.from}
            onChange={({ currentTarget }) =>
              set({ dates: dates.with(index, { ...one, from: currentTarget.value }) })
            }
          />
          <TextInput
            type="date"
            label={t('Last day')}
            value={one.until}
            onChange={({ currentTarget }) =>
              set({ dates: dates.with(index, { ...one, until: currentTarget.value }) })
            }
          />
          <ActionIcon
            variant="default"
            size={34}
            aria-label={t('Remove these dates')}
            onClick={() => set({ dates: dates.toSpliced(index, 1) })}
          >
            ✕
          </ActionIcon>
        </div>
      ))}
      <div className="row wrap">
        <Button
          variant="default"
          onClick={() =>
            set({
              never: [...never, { person: first.id, days: ['sat', 'sun'], from: '00:00', to: '24:00' }],
            })
          }
        >
          {t('Add a time that somebody never takes')}
        </Button>
        <Button
          variant="default"
          onClick={() => set({ dates: [...dates, { person: first.id, from: '', until: '' }] })}
        >
          {t('Add a first or last day')}
        </Button>
      </div>
    </section>
  );
}
