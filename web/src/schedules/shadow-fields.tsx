import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { peopleQuery } from '../api/queries.ts';
import { t } from '../language/t.ts';
import { ListProblem, MemberRows, optionsOf, PersonSelect } from './member-rows.tsx';
import type { FormPart } from './schedule-form-state.ts';
import { useMembers } from './use-members.ts';

/** Who is on call to learn. */
export function ShadowFields({ value, set, problems }: FormPart) {
  const people = useQuery(peopleQuery).data?.people ?? [];
  const members = useMembers(value);
  const { shadows } = value;
  return (
    <section className="stack" aria-label={t('Shadows')}>
      <h2>{t('Shadows')}</h2>
      <p className="muted">
        {t(
          'A shadow gets a quiet notice of each page and sees the shifts in their calendar. Shadows are never paged and never count as cover.',
        )}
      </p>
      <MemberRows
        rows={shadows}
        onChange={(rows) => set({ shadows: rows })}
        layout="shadow"
        removeLabel={() => t('Remove this shadow')}
      >
        {(one, change) => (
          <>
            <PersonSelect
              label={t('Shadow')}
              people={people}
              value={one.person}
              onChange={(person) => change({ ...one, person })}
            />
            <Select
              label={t('learns with')}
              placeholder={t('Everybody')}
              data={optionsOf(members.filter(({ id }) => id !== one.person))}
              value={one.of}
              onChange={(of) => change({ ...one, of })}
              searchable
              clearable
            />
            <TextInput
              type="date"
              label={t('from')}
              value={one.from}
              onChange={({ currentTarget }) => change({ ...one, from: currentTarget.value })}
            />
            <TextInput
              type="date"
              label={t('until')}
              value={one.until}
              onChange={({ currentTarget }) => change({ ...one, until: currentTarget.value })}
            />
          </>
        )}
      </MemberRows>
      <ListProblem problems={problems} list="shadows" />
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
