import { Button, Modal, MultiSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { SLUG_HINT, suggestedSlug } from '../../../src/people/slug-contract.ts';
import type { TeamDetail } from '../../../src/people/team-api-contract.ts';
import { call } from '../api/call.ts';
import { peopleQuery, sessionQuery } from '../api/queries.ts';
import { fieldError } from '../kit/field-error.ts';

/** Makes a team; whoever makes it manages it unless they take themselves out. */
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
      call<TeamDetail>('POST', '/api/teams', {
        ...{ name, slug: wanted },
        members: members.map((user) => ({ user, role: user === self ? 'manager' : 'member' })),
      }),
    onSuccess({ team }) {
      void client.invalidateQueries({ queryKey: ['teams'] });
      void client.invalidateQueries({ queryKey: ['session'] });
      void navigate({ to: '/teams/$slug', params: { slug: team.slug } });
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Modal opened onClose={close} title="New team">
      <form className="stack" style={{ gap: 16 }} onSubmit={send}>
        <TextInput
          label="Name"
          placeholder="Site Reliability"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldError(make.error, 'name')}
          data-autofocus
        />
        <TextInput
          label="Slug"
          description="Programs page the team by it. It is best never changed."
          placeholder="site-reliability"
          required
          maxLength={100}
          title={SLUG_HINT}
          value={wanted}
          onChange={(event) => setSlug(event.currentTarget.value)}
          error={fieldError(make.error, 'slug')}
        />
        <MultiSelect
          label="Members"
          description="More can join later."
          data={people.map((person) => ({ value: person.id, label: `${person.name} · ${person.email}` }))}
          value={members}
          onChange={setMembers}
          searchable
          hidePickedOptions
          nothingFoundMessage="Nobody of that name"
          error={fieldError(make.error, 'user')}
        />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={!name.trim() || !wanted} loading={make.isPending}>
            Make the team
          </Button>
        </div>
      </form>
    </Modal>
  );
}
