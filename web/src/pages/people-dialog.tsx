import { MultiSelect, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { peopleQuery } from '../api/queries.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { nothingFound } from '../kit/nothing-found.ts';
import { t } from '../language/t.ts';
import { teamsQuery } from '../teams/queries.ts';
import { type Reassign, useAct } from './use-act.ts';

const WORDS = {
  responders: {
    title: t('Add people'),
    hint: t('They are notified at once. The escalation continues.'),
    button: t('Notify them'),
  },
  reassign: {
    title: t('Reassign'),
    hint: t('They are notified at once. The current escalation ends.'),
    button: t('Reassign'),
  },
} as const;

type Purpose = keyof typeof WORDS;

/** Chooses people to add to the page, or the people or team to reassign it to. */
export function PeopleDialog({
  page,
  purpose,
  close,
}: {
  page: PageSummary;
  purpose: Purpose;
  close: () => void;
}) {
  const act = useAct(page.id);
  const send = (action: Reassign) =>
    act.mutate(
      purpose === 'responders' && 'users' in action ? { name: purpose, users: action.users } : action,
      { onSuccess: close },
    );
  return <AssigneeDialog purpose={purpose} busy={act.isPending} close={close} send={send} />;
}

/** Chooses people, or, to reassign, a team. `children`: what it is about. */
export function AssigneeDialog({
  purpose,
  busy,
  close,
  send,
  children,
}: {
  purpose: Purpose;
  busy: boolean;
  close: () => void;
  send: (action: Reassign) => void;
  children?: ReactNode;
}) {
  const [kind, setKind] = useState<'people' | 'team'>('people');
  const [users, setUsers] = useState<string[]>([]);
  const [team, setTeam] = useState<string | null>(null);
  const { title, hint, button } = WORDS[purpose];
  const submit = () => {
    if (kind === 'people') send({ name: 'reassign', users });
    else if (team !== null) send({ name: 'reassign', team });
  };
  const ready = kind === 'people' ? users.length > 0 : team !== null;
  return (
    <FormDialog title={title} close={close} send={submit} go={button} ready={ready} busy={busy}>
      {children}
      <p className="muted">{hint}</p>
      {purpose === 'reassign' && (
        <SegmentedControl
          aria-label={t('Reassign to')}
          data={[
            { value: 'people', label: t('People') },
            { value: 'team', label: t('Team') },
          ]}
          value={kind}
          onChange={setKind}
        />
      )}
      {kind === 'people' ? (
        <PeopleField value={users} onChange={setUsers} />
      ) : (
        <TeamField value={team} onChange={setTeam} />
      )}
    </FormDialog>
  );
}

function PeopleField({ value, onChange }: { value: string[]; onChange: (users: string[]) => void }) {
  const { data } = useQuery(peopleQuery);
  return (
    <MultiSelect
      label={t('People')}
      placeholder={value.length === 0 ? t('Name or email') : ''}
      data={(data?.people ?? []).map(({ id, name, email }) => ({ value: id, label: `${name} · ${email}` }))}
      value={value}
      onChange={onChange}
      searchable
      // The list would cover the buttons on a phone.
      openOnFocus={false}
      hidePickedOptions
      nothingFoundMessage={nothingFound(data, t('Nobody with that name'))}
      data-autofocus
    />
  );
}

function TeamField({ value, onChange }: { value: string | null; onChange: (team: string | null) => void }) {
  const { data } = useQuery(teamsQuery);
  return (
    <Select
      label={t('Team')}
      placeholder={t('Choose a team')}
      data={(data?.teams ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
      value={value}
      onChange={onChange}
      searchable
      nothingFoundMessage={nothingFound(data, t('No team with that name'))}
    />
  );
}
