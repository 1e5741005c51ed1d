import { MultiSelect, Switch } from '@mantine/core';
import { t } from '../language/t.ts';
import { optionsOf } from './member-rows.tsx';
import type { FormPart } from './schedule-form-state.ts';
import { useMembers } from './use-members.ts';

/** Who is still learning, and whether two of them may be on call at the same time. */
export function JuniorFields({ value, set, problems }: FormPart) {
  const members = useMembers(value);
  const juniors = members.map(({ id }) => id).filter((id) => value.juniors.includes(id));
  if (members.length < 2) return null;
  return (
    <section className="stack" aria-label={t('Juniors')}>
      <h2>{t('Who is still learning')}</h2>
      <MultiSelect
        label={t('Juniors')}
        placeholder={juniors.length === 0 ? t('Nobody') : ''}
        data={optionsOf(members)}
        value={juniors}
        onChange={(chosen) => set({ juniors: chosen })}
        searchable
      />
      <Switch
        label={t('Never two juniors on call at the same time')}
        description={t(
          'Across all stages and seats of this schedule. If nobody else is available, a shift stays open.',
        )}
        checked={value.neverTwoJuniors}
        onChange={({ currentTarget }) => set({ neverTwoJuniors: currentTarget.checked })}
        error={problems.get('never_two_juniors')}
      />
    </section>
  );
}
