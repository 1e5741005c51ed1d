import { MultiSelect, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { peopleQuery } from '../api/queries.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { teamsQuery } from '../teams/queries.ts';
import { type Reassign, useAct } from './use-act.ts';

const WORDS = {
  responders: {
    title: 'Add people',
    hint: 'They are notified at once. The escalation continues.',
    button: 'Notify them',
  },
  reassign: {
    title: 'Reassign',
    hint: 'They are notified at once. The current escalation ends.',
    button: 'Reassign',
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
          aria-label="Reassign to"
          data={[
            { value: 'people', label: 'People' },
            { value: 'team', label: 'Team' },
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
  const people = useQuery(peopleQuery).data?.people ?? [];
  return (
    <MultiSelect
      label="People"
      placeholder={value.length === 0 ? 'Name or email' : ''}
      data={people.map(({ id, name, email }) => ({ value: id, label: `${name} · ${email}` }))}
      value={value}
      onChange={onChange}
      searchable
      hidePickedOptions
      nothingFoundMessage="Nobody of that name"
      data-autofocus
    />
  );
}

function TeamField({ value, onChange }: { value: string | null; onChange: (team: string | null) => void }) {
  const teams = useQuery(teamsQuery).data?.teams ?? [];
  return (
    <Select
      label="Team"
      placeholder="Choose a team"
      data={teams.map(({ slug, name }) => ({ value: slug, label: name }))}
      value={value}
      onChange={onChange}
      searchable
      nothingFoundMessage="No team of that name"
    />
  );
}
