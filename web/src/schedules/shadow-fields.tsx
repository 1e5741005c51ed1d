import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { peopleQuery } from '../api/queries.ts';
import { t } from '../language/t.ts';
import form from './form.module.css';
import type { ScheduleForm, ShadowForm } from './schedule-form-state.ts';
import { useMembers } from './use-members.ts';

/** Who is on call to learn, and with whom. */
export function ShadowFields({
  value,
  set,
  problems,
}: {
  value: ScheduleForm;
  set: (change: Partial<ScheduleForm>) => void;
  problems: ReadonlyMap<string, string>;
}) {
  const people = useQuery(peopleQuery).data?.people ?? [];
  const members = useMembers(value);
  const { shadows } = value;
  const change = (index: number, one: Partial<ShadowForm>) =>
    set({ shadows: shadows.map((own, at) => (at === index ? { ...own, ...one } : own)) });
  const options = (some: readonly { id: string; name: string }[]) =>
    some.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <section className="stack" aria-label={t('Shadows')}>
      <h2>{t('Who is on call to learn')}</h2>
      <p className="muted">
        {t(
          'A shadow gets a quiet notice of each page and sees the shifts in their calendar. They are never paged as a shadow, and never count as cover.',
        )}
      </p>
      {shadows.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id
        <div key={index} className={form.shadow}>
          <Select
            label={t('Shadow')}
            data={options(people)}
            value={one.person}
            onChange={(person) => person && change(index, { person })}
            allowDeselect={false}
            searchable
          />
          <Select
            label={t('learns with')}
            placeholder={t('Everybody')}
            data={options(members.filter(({ id }) => id !== one.person))}
            value={one.of}
            onChange={(of) => change(index, { of })}
            searchable
            clearable
          />
          <TextInput
            type="date"
            label={t('from')}
            value={one.from}
            onChange={({ currentTarget }) => change(index, { from: currentTarget.value })}
          />
          <TextInput
            type="date"
            label={t('until')}
            value={one.until}
            onChange={({ currentTarget }) => change(index, { until: currentTarget.value })}
          />
          <ActionIcon
            variant="default"
            size={34}
            aria-label={t('Remove this shadow')}
            onClick={() => set({ shadows: shadows.toSpliced(index, 1) })}
          >
            ✕
          </ActionIcon>
        </div>
      ))}
      {problems.has('shadows') && (
        <p role="alert" className="ink-alarm">
          {problems.get('shadows')}
        </p>
      )}
      <div>
        <Button
          variant="default"
          disabled={people.length === 0}
          onClick={() =>
            set({ shadows: [...shadows, { person: people[0]?.id ?? '', of: null, from: '', until: '' }] })
          }
        >
          {t('Add a shadow')}
        </Button>
      </div>
    </section>
  );
}
