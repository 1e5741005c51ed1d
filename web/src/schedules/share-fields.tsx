import { TextInput } from '@mantine/core';
import { t } from '../language/t.ts';
import form from './form.module.css';
import { ListProblem } from './member-rows.tsx';
import type { FormPart } from './schedule-form-state.ts';
import { useMembers } from './use-members.ts';

/** The part of the load that is expected of each member, such as 60 % of somebody who works part-time. */
export function ShareFields({ value, set, problems }: FormPart) {
  const members = useMembers(value);
  if (value.strategy !== 'fair' || members.length < 2) return null;
  return (
    <section className="stack" aria-label={t('Shares')}>
      <h2>{t('Share of each person, in percent')}</h2>
      <p className="muted">
        {t(
          '100 is a full share. A person with 50 gets about half as many shifts, nights and weekends. Past shifts keep the share of their time.',
        )}
      </p>
      <div className={form.fields}>
        {members.map(({ id, name }) => (
          <TextInput
            key={id}
            type="number"
            min={1}
            max={100}
            label={name}
            value={value.shares[id] ?? '100'}
            onChange={({ currentTarget }) => set({ shares: { ...value.shares, [id]: currentTarget.value } })}
          />
        ))}
      </div>
      <ListProblem problems={problems} list="shares" />
    </section>
  );
}
