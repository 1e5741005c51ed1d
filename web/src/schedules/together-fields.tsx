import { Button, MultiSelect } from '@mantine/core';
import { t } from '../language/t.ts';
import { ListProblem, MemberRows, optionsOf } from './member-rows.tsx';
import type { FormPart } from './schedule-form-state.ts';
import { useMembers } from './use-members.ts';

/** Groups of people who are never on call together. */
export function TogetherFields({ value, set, problems }: FormPart) {
  const members = useMembers(value);
  const { neverTogether } = value;
  if (members.length < 2) return null;
  return (
    <section className="stack" aria-label={t('Never together')}>
      <h2>{t('Who is never on call together')}</h2>
      <p className="muted">
        {t(
          'At most one person of each group is on call at a time, across all stages and seats. If nobody else is available, a shift stays open.',
        )}
      </p>
      <MemberRows
        rows={neverTogether}
        onChange={(groups) => set({ neverTogether: groups })}
        layout="group"
        removeLabel={(index) => t('Remove group {number}', { number: index + 1 })}
      >
        {(group, change, index) => (
          <MultiSelect
            label={t('Group {number}', { number: index + 1 })}
            placeholder={group.length === 0 ? t('Choose at least two people') : ''}
            data={optionsOf(members)}
            value={group}
            onChange={change}
            error={group.length === 1 ? t('Choose one more person.') : undefined}
            searchable
          />
        )}
      </MemberRows>
      <ListProblem problems={problems} list="never_together" />
      <div>
        <Button variant="default" onClick={() => set({ neverTogether: [...neverTogether, []] })}>
          {t('Add a group')}
        </Button>
      </div>
    </section>
  );
}
