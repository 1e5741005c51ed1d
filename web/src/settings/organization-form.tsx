import { Button, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { OrganizationSettings } from '../../../src/people/organization-api-contract.ts';
import { organizationApi } from '../../../src/people/organization-api-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { Unread } from '../kit/states.tsx';
import { showToast } from '../kit/toast.ts';
import { TIME_ZONES } from '../schedules/time-zones.ts';
import { organizationQuery } from './queries.ts';

export function OrganizationForm() {
  const { data, error, refetch } = useQuery(organizationQuery);
  if (!data) return <Unread error={error} again={refetch} rows={2} />;
  return <Form settings={data} />;
}

function Form({ settings }: { settings: OrganizationSettings }) {
  const client = useQueryClient();
  const [name, setName] = useState(settings.name);
  const [zone, setZone] = useState(settings.time_zone);
  const save = useMutation({
    mutationFn: () => send(organizationApi.change, { body: { name, time_zone: zone } }),
    onSuccess: async (saved) => {
      client.setQueryData(organizationQuery.queryKey, saved);
      showToast('Saved.');
      await client.invalidateQueries({ queryKey: ['session'] });
    },
  });
  const changed = name !== settings.name || zone !== settings.time_zone;
  return (
    <form
      className="card pad stack"
      style={{ gap: 16, maxWidth: 560 }}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextInput
        label="Name"
        required
        maxLength={200}
        disabled={!settings.may_change}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldError(save.error, 'name')}
      />
      <Select
        label="Time zone"
        description="For people and schedules that have none of their own"
        searchable
        allowDeselect={false}
        disabled={!settings.may_change}
        data={TIME_ZONES}
        limit={50}
        value={zone}
        onChange={(value) => value && setZone(value)}
        error={fieldError(save.error, 'time_zone')}
      />
      {otherError(save.error, ['name', 'time_zone']) && (
        <p className="ink-alarm" role="alert">
          {otherError(save.error, ['name', 'time_zone'])}
        </p>
      )}
      {settings.may_change ? (
        <div className="row">
          <Button type="submit" disabled={!changed || !name.trim()} loading={save.isPending}>
            Save
          </Button>
        </div>
      ) : (
        <p className="muted">Owners and admins change this.</p>
      )}
    </form>
  );
}
