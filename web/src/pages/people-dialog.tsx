import { Button, Modal, MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { peopleQuery } from '../api/queries.ts';
import { useAct } from './use-act.ts';

const WORDS = {
  responders: {
    title: 'Add people',
    hint: 'They are notified at once. The escalation goes on beside it.',
    button: 'Notify them',
  },
  reassign: {
    title: 'Reassign',
    hint: 'The escalation so far ends, and the page is theirs until they answer.',
    button: 'Hand it over',
  },
} as const;

/** Chooses whom to ask. */
export function PeopleDialog({
  page,
  purpose,
  close,
}: {
  page: PageSummary;
  purpose: 'responders' | 'reassign';
  close: () => void;
}) {
  const people = useQuery(peopleQuery).data?.people ?? [];
  const [chosen, setChosen] = useState<string[]>([]);
  const act = useAct(page.id);
  const { title, hint, button } = WORDS[purpose];
  const send = () => act.mutate({ name: purpose, users: chosen }, { onSuccess: close });
  return (
    <Modal opened onClose={close} title={title}>
      <div className="stack" style={{ gap: 16 }}>
        <p className="muted">{hint}</p>
        <MultiSelect
          label="People"
          placeholder={chosen.length === 0 ? 'Name or email' : ''}
          data={people.map(({ id, name, email }) => ({ value: id, label: `${name} · ${email}` }))}
          value={chosen}
          onChange={setChosen}
          searchable
          hidePickedOptions
          nothingFoundMessage="Nobody of that name"
          data-autofocus
        />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button disabled={chosen.length === 0} loading={act.isPending} onClick={send}>
            {button}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
