import { MultiSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { SLUG_HINT, suggestedSlug } from '../../../src/people/slug-contract.ts';
import { teamsApi } from '../../../src/people/team-api-contract.ts';
import { send } from '../api/call.ts';
import { peopleQuery, sessionQuery } from '../api/queries.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { t } from '../language/t.ts';

/** Creates a team. The viewer becomes its manager unless they remove themselves. */
export function NewTeam({ close }: { close: () => void }) {
  const self = useQuery(sessionQuery).data?.user.id ?? '';
  const people = useQuery(peopleQuery).data?.people ?? [];
  const navigate = useNavigate();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [slug, setSlug] = useState<string | null>(null);
  const [members, setMembers] = useState<string[]>(self ? [self] : []);
  const wanted = slug ?? suggestedSlug(name);
  const make = useMutation({
    mutationFn: () =>
      send(teamsApi.create, {
        body: {
          name,
          slug: wanted,
          members: members.map((user) => ({
            user,
            role: user === self ? ('manager' as const) : ('member' as const),
          })),
        },
      }),
    onSuccess({ team }) {
      void client.invalidateQueries({ queryKey: ['teams'] });
      void client.invalidateQueries({ queryKey: ['session'] });
      void navigate({ to: '/teams/$slug', params: { slug: team.slug } });
    },
  });
  return (
    <FormDialog
      title={t('New team')}
      close={close}
      send={() => make.mutate()}
      go={t('Create the team')}
      ready={name.trim() !== '' && wanted !== ''}
      busy={make.isPending}
      error={otherError(make.error, ['name', 'slug', 'user'])}
    >
      <TextInput
        label={t('Name')}
        placeholder={t('Site Reliability')}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldError(make.error, 'name')}
        data-autofocus
      />
      <TextInput
        label={t('Slug')}
        description={t('Programs page the team by its slug. It is best never to change it.')}
        placeholder="site-reliability"
        required
        maxLength={100}
        title={SLUG_HINT}
        value={wanted}
        onChange={(event) => setSlug(event.currentTarget.value)}
        error={fieldError(make.error, 'slug')}
      />
      <MultiSelect
        label={t('Members')}
        description={t('More can join later.')}
        data={people.map((person) => ({ value: person.id, label: `${person.name} · ${person.email}` }))}
        value={members}
        onChange={setMembers}
        searchable
        hidePickedOptions
        nothingFoundMessage={t('Nobody with that name')}
        error={fieldError(make.error, 'user')}
      />
    </FormDialog>
  );
}
