import { ActionIcon, Button, MultiSelect } from '@mantine/core';
import { t } from '../language/t.ts';
import form from './form.module.css';
import type { ScheduleForm } from './schedule-form-state.ts';
import { useMembers } from './use-members.ts';

/** Groups of people of whom at most one may be on call at a time. */
export function TogetherFields({
  value,
  set,
  problems,
}: {
  value: ScheduleForm;
  set: (change: Partial<ScheduleForm>) => void;
  problems: ReadonlyMap<string, string>;
}) {
  const members = useMembers(value);
  const { neverTogether } = value;
  if (members.length < 2) return null;
  const data = members.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <section className="stack" aria-label={t('Never together')}>
      <h2>{t('Who is never on call together')}</h2>
      <p className="muted">
        {t(
          'Of the people in a group, at most one is on call at a time, in all stages and seats. Where nobody else can, a shift stays open.',
        )}
      </p>
      {neverTogether.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id
        <div key={index} className={form.group}>
          <MultiSelect
            label={`Group ${index + 1}`}
            placeholder={group.length === 0 ? t('Choose two people or more') : ''}
            data={data}
            value={group}
            onChange={(chosen) => set({ neverTogether: neverTogether.with(index, chosen) })}
            error={group.length === 1 ? t('Choose one more person.') : undefined}
            searchable
          />
          <ActionIcon
            variant="default"
            size={34}
            aria-label={`Remove group ${index + 1}`}
            onClick={() => set({ neverTogether: neverTogether.toSpliced(index, 1) })}
          >
            ✕
          </ActionIcon>
        </div>
      ))}
      {problems.has('never_together') && (
        <p role="alert" className="ink-alarm">
          {problems.get('never_together')}
        </p>
      )}
      <div>
        <Button variant="default" onClick={() => set({ neverTogether: [...neverTogether, []] })}>
          {t('Add a group')}
        </Button>
      </div>
    </section>
  );
}
