import { Button, MultiSelect } from '@mantine/core';
import { t } from '../language/t.ts';
import { ListProblem, MemberRows, optionsOf } from './member-rows.tsx';
import type { FormPart } from './schedule-form-state.ts';
import { useMembers } from './use-members.ts';

/** Who is on call only together with others. */
export function CompanionFields({ value, set, problems }: FormPart) {
  const members = useMembers(value);
  const { onlyWith } = value;
  if (value.strategy !== 'fair' || members.length < 2) return null;
  return (
    <section className="stack" aria-label={t('Only together')}>
      <h2>{t('Who is on call only together with others')}</h2>
      <p className="muted">
        {t(
          'Juniors only together with a senior, or one of your experts at all times. If none of them can be on call, the shift stays open and the backstop answers.',
        )}
      </p>
      <MemberRows
        rows={onlyWith}
        onChange={(rows) => set({ onlyWith: rows })}
        layout="pair"
        removeLabel={(index) => t('Remove rule {number}', { number: index + 1 })}
      >
        {(rule, change) => (
          <>
            <MultiSelect
              label={t('On call only')}
              placeholder={rule.people.length === 0 ? t('Everybody else') : ''}
              data={optionsOf(members)}
              value={rule.people}
              onChange={(people) => change({ ...rule, people })}
              searchable
            />
            <MultiSelect
              label={t('together with one of')}
              placeholder={rule.with.length === 0 ? t('Choose at least one person') : ''}
              data={optionsOf(members)}
              value={rule.with}
              onChange={(others) => change({ ...rule, with: others })}
              error={rule.with.length === 0 ? t('Choose at least one person.') : undefined}
              searchable
            />
          </>
        )}
      </MemberRows>
      <ListProblem problems={problems} list="only_with" />
      <div>
        <Button variant="default" onClick={() => set({ onlyWith: [...onlyWith, { people: [], with: [] }] })}>
          {t('Add a rule')}
        </Button>
      </div>
    </section>
  );
}
