import { NumberInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { TeamSummary } from '../../../src/people/team-api-contract.ts';
import { sourcesApi } from '../../../src/sources/api-contract.ts';
import { HEARTBEAT } from '../../../src/sources/contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { t } from '../language/t.ts';
import { EndField, NameField, SecretField, TypeField } from '../webhooks/common-fields.tsx';
import { inputInstant } from '../webhooks/form-values.ts';
import { integrationName } from '../webhooks/integration-names.ts';
import { OldKeyField } from '../webhooks/rotate-or-revoke.tsx';
import { madeKeyQuery, sourceTypesQuery } from './queries.ts';

const FIELDS = ['name', 'type', 'key', 'signing_secret', 'expires_at', 'interval_minutes'];

/** Creates a page source, then shows its URL or key and how to use it. */
export function NewSource({ team, close }: { team: TeamSummary; close: () => void }) {
  const types = useQuery(sourceTypesQuery).data?.types ?? [];
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typeName, setTypeName] = useState<string | null>(null);
  const [name, setName] = useState<string | null>(null);
  const [oldKey, setOldKey] = useState('');
  const [secret, setSecret] = useState('');
  const [end, setEnd] = useState('');
  const [interval, setInterval] = useState<number | string>(60);
  const type = types.find((one) => one.name === typeName);
  const label =
    name ?? (type && type.name !== 'custom' && type.name !== HEARTBEAT ? integrationName(type.name) : '');
  const create = useMutation({
    mutationFn: () =>
      send(sourcesApi.create, {
        body: {
          ...{ team: team.slug, type: typeName ?? '', name: label },
          ...(type?.way === 'key' && oldKey.trim() ? { key: oldKey.trim() } : {}),
          ...(type?.signs && secret ? { signing_secret: secret } : {}),
          ...(end ? { expires_at: inputInstant(end) ?? end } : {}),
          ...(typeName === HEARTBEAT ? { interval_minutes: Number(interval) } : {}),
        },
      }),
    onSuccess: async ({ key, ...made }) => {
      client.setQueryData(['sources', 'one', made.id], made);
      if (key !== null) client.setQueryData(madeKeyQuery(made.id).queryKey, key);
      await navigate({ to: '/sources/$id', params: { id: made.id } });
      void client.invalidateQueries({ queryKey: ['sources', 'list'] });
      void client.invalidateQueries({ queryKey: ['teams'] });
    },
  });
  return (
    <FormDialog
      title={t('New page source of {team}', { team: team.name })}
      close={close}
      send={() => create.mutate()}
      go={t('Create source')}
      ready={type !== undefined && label.trim() !== ''}
      busy={create.isPending}
      error={otherError(create.error, FIELDS)}
    >
      <TypeField
        types={types.map((one) => one.name)}
        value={typeName}
        change={setTypeName}
        error={create.error}
      />
      <NameField value={label} change={setName} error={create.error} example="Prometheus" />
      {type?.way === 'key' && <OldKeyField value={oldKey} change={setOldKey} error={create.error} />}
      {typeName === HEARTBEAT && <IntervalField value={interval} change={setInterval} error={create.error} />}
      {type?.signs && <SecretField value={secret} change={setSecret} error={create.error} />}
      <EndField value={end} change={setEnd} error={create.error} />
    </FormDialog>
  );
}

/** How often a heartbeat has to call. */
export function IntervalField({
  value,
  change,
  error,
}: {
  value: number | string;
  change: (minutes: number | string) => void;
  error: Error | null;
}) {
  return (
    <NumberInput
      label={t('Expected every')}
      description={t('In minutes. Without a call for that long, the heartbeat is late and pages.')}
      suffix={` ${t('min')}`}
      min={1}
      allowDecimal={false}
      value={value}
      onChange={change}
      error={fieldError(error, 'interval_minutes')}
    />
  );
}
