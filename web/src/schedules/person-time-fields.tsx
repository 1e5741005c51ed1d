import { Button, MultiSelect, TextInput } from '@mantine/core';
import { t, tIn } from '../language/t.ts';
import { MemberRows, PersonSelect } from './member-rows.tsx';
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
  return (
    <section className="stack" aria-label={t('Times of individual people')}>
      <h2>{t('When individual people are not on call')}</h2>
      <p className="muted">
        {t(
          'In the time zone of the schedule. A shift that touches such a time goes to somebody else. Enter a single absence under Availability instead.',
        )}
      </p>
      <MemberRows
        rows={never}
        onChange={(rows) => set({ never: rows })}
        layout="never"
        removeLabel={() => t('Remove this time')}
      >
        {(one, change) => (
          <>
            <PersonSelect
              label={t('Person')}
              people={members}
              value={one.person}
              onChange={(person) => change({ ...one, person })}
            />
            <MultiSelect
              label={t('is never on call on')}
              data={SHORT_DAYS.map((day, at) => ({ value: day, label: WEEKDAYS[at]?.slice(0, 3) ?? day }))}
              value={one.days}
              onChange={(days) => change({ ...one, days })}
            />
            <TextInput
              type="time"
              label={tIn('a time of day, until another', 'from')}
              value={one.from}
              onChange={({ currentTarget }) => change({ ...one, from: currentTarget.value })}
            />
            <TextInput
              type="time"
              label={tIn('a time of day, from another', 'to')}
              value={one.to === '24:00' ? '00:00' : one.to}
              onChange={({ currentTarget }) => change({ ...one, to: endOfDay(currentTarget.value) })}
            />
          </>
        )}
      </MemberRows>
      <MemberRows
        rows={dates}
        onChange={(rows) => set({ dates: rows })}
        layout="dates"
        removeLabel={() => t('Remove these dates')}
      >
        {(one, change) => (
          <>
            <PersonSelect
              label={t('Person')}
              people={members}
              value={one.person}
              onChange={(person) => change({ ...one, person })}
            />
            <TextInput
              type="date"
              label={t('First day')}
              value={one.from}
              onChange={({ currentTarget }) => change({ ...one, from: currentTarget.value })}
            />
            <TextInput
              type="date"
              label={t('Last day')}
              value={one.until}
              onChange={({ currentTarget }) => change({ ...one, until: currentTarget.value })}
            />
          </>
        )}
      </MemberRows>
      <div className="row wrap">
        <Button
          variant="default"
          onClick={() =>
            set({
              never: [...never, { person: first.id, days: ['sat', 'sun'], from: '00:00', to: '24:00' }],
            })
          }
        >
          {t('Add a time when a person is never on call')}
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
