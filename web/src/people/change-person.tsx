import { Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ROLES, type Role } from '../../../src/people/contract.ts';
import type { PersonDetail } from '../../../src/people/person-contract.ts';
import { peopleApi } from '../../../src/people/person-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { showToast } from '../kit/toast.ts';
import { useFields } from '../kit/use-fields.ts';
import { zoneNames } from '../kit/zone-names.ts';
import { t } from '../language/t.ts';
import { personQuery } from './queries.ts';
import { ROLE_LABELS } from './role-names.ts';

const ROLE_WORDS: Record<Role, string> = {
  owner: t('Owner: everything'),
  admin: t('Admin: manages people, teams, schedules and settings'),
  member: t('Member: their own, and their teams’ pages'),
};

const FIELDS = ['name', 'username', 'time_zone', 'role'] as const;

type Changeable = { name: string; username: string; time_zone: string; role: Role };

/** The properties of a person that an admin can change. */
export function ChangePerson({ person, close }: { person: PersonDetail; close: () => void }) {
  const client = useQueryClient();
  const { values, set, changes } = useFields<Changeable>({
    ...{ name: person.name, username: person.username },
    ...{ time_zone: person.time_zone, role: person.role },
  });
  const { name, username, time_zone: zone, role } = values;
  const save = useMutation({
    mutationFn: () => send(peopleApi.change, { params: { id: person.id }, body: changes }),
    onSuccess: async (saved) => {
      client.setQueryData(personQuery(person.id).queryKey, saved);
      showToast(t('Saved.'));
      close();
      await client.invalidateQueries({ queryKey: ['people'] });
    },
  });
  return (
    <FormDialog
      title={t('Change {name}', { name: person.name })}
      close={close}
      send={() => save.mutate()}
      go={t('Save')}
      busy={save.isPending}
      error={otherError(save.error, FIELDS)}
    >
      <TextInput
        label={t('Name')}
        required
        maxLength={200}
        value={name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={fieldError(save.error, 'name')}
        data-autofocus
      />
      <TextInput
        label={t('Handle')}
        required
        maxLength={100}
        value={username}
        onChange={(event) => set({ username: event.currentTarget.value })}
        error={fieldError(save.error, 'username')}
      />
      <Select
        label={t('Time zone')}
        data={zoneNames(zone)}
        value={zone}
        onChange={(next) => next && set({ time_zone: next })}
        searchable
        allowDeselect={false}
        error={fieldError(save.error, 'time_zone')}
      />
      <Select
        label={t('Role')}
        description={ROLE_WORDS[role]}
        data={ROLES.filter((one) => one === person.role || person.may.roles.includes(one)).map((one) => ({
          value: one,
          label: ROLE_LABELS[one],
        }))}
        value={role}
        onChange={(next) => next && set({ role: next as Role })}
        allowDeselect={false}
        error={fieldError(save.error, 'role')}
      />
    </FormDialog>
  );
}
