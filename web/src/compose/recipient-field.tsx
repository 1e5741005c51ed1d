import { SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { onCallQuery, peopleQuery } from '../api/queries.ts';
import { nothingFound } from '../kit/nothing-found.ts';
import { t } from '../language/t.ts';

export type Recipient = { kind: 'team' | 'person'; recipient: string };

/** A team or a person, searched by name. */
export function RecipientField({
  value,
  change,
  error,
}: {
  value: Recipient;
  change: (next: Recipient) => void;
  error?: string | undefined;
}) {
  const teams = useQuery(onCallQuery).data?.teams;
  const people = useQuery(peopleQuery).data?.people;
  const data =
    value.kind === 'team'
      ? (teams ?? []).map(({ name, slug }) => ({ value: slug, label: name }))
      : (people ?? []).map(({ name, email }) => ({ value: email, label: `${name} · ${email}` }));
  return (
    <div className="stack" style={{ gap: 8 }}>
      <SegmentedControl
        aria-label={t('Whom to page')}
        value={value.kind}
        onChange={(kind) => change({ kind: kind as Recipient['kind'], recipient: '' })}
        data={[
          { value: 'team', label: t('A team (the people on call)') },
          { value: 'person', label: t('A person') },
        ]}
      />
      <Select
        aria-label={value.kind === 'team' ? t('Team') : t('Person')}
        placeholder={value.kind === 'team' ? t('Which team') : t('Name or email')}
        data={data}
        value={value.recipient || null}
        onChange={(recipient) => change({ ...value, recipient: recipient ?? '' })}
        searchable
        nothingFoundMessage={
          value.kind === 'team'
            ? nothingFound(teams, t('No team with that name'))
            : nothingFound(people, t('Nobody with that name'))
        }
        error={error}
      />
    </div>
  );
}
