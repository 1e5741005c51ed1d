import '@mantine/core/styles/PasswordInput.css';
import { PasswordInput, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { TeamSummary } from '../../../src/people/team-api-contract.ts';
import type { WebhookDetail } from '../../../src/webhooks/api-contract.ts';
import { call } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { integrationName } from './integration-names.ts';
import { integrationsQuery } from './queries.ts';

const FIELDS = ['name', 'type', 'signing_secret', 'expires_at'];

/** Creates a webhook, then shows its URL and how to use it. */
export function NewWebhook({ team, close }: { team: TeamSummary; close: () => void }) {
  const integrations = useQuery(integrationsQuery).data?.integrations ?? [];
  const client = useQueryClient();
  const navigate = useNavigate();
  const [type, setType] = useState<string | null>(null);
  const [name, setName] = useState<string | null>(null);
  const [secret, setSecret] = useState('');
  const [end, setEnd] = useState('');
  const label = name ?? (type && type !== 'custom' ? integrationName(type) : '');
  const signs = integrations.find((one) => one.name === type)?.signs ?? false;
  const make = useMutation({
    mutationFn: () =>
      call<WebhookDetail>('POST', '/api/webhooks', {
        ...{ team: team.slug, type, name: label },
        ...(signs && secret ? { signing_secret: secret } : {}),
        ...(end ? { expires_at: new Date(end).toISOString() } : {}),
      }),
    onSuccess: async (made) => {
      client.setQueryData(['webhooks', 'one', made.id], made);
      await navigate({ to: '/webhooks/$id', params: { id: made.id } });
      void client.invalidateQueries({ queryKey: ['webhooks', 'list'] });
      void client.invalidateQueries({ queryKey: ['teams'] });
    },
  });
  return (
    <FormDialog
      title={`New webhook of ${team.name}`}
      close={close}
      send={() => make.mutate()}
      go="Make the webhook"
      ready={type !== null && label.trim() !== ''}
      busy={make.isPending}
      error={otherError(make.error, FIELDS)}
    >
      <Select
        label="What reports"
        placeholder="Name of the tool"
        description="Anything that can send JSON is Custom."
        required
        searchable
        data={integrations.map((one) => ({ value: one.name, label: integrationName(one.name) }))}
        nothingFoundMessage="Not among them; Custom takes anything that can send JSON"
        value={type}
        onChange={setType}
        error={fieldError(make.error, 'type')}
        openOnFocus={false}
        data-autofocus
      />
      <TextInput
        label="Label"
        description="So that people know it again."
        placeholder="Deploy script"
        required
        maxLength={200}
        value={label}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldError(make.error, 'name')}
      />
      {signs && (
        <PasswordInput
          label="Signing secret"
          description="The same as the tool has. With one, only calls that are signed with it are believed. It can be given later."
          autoComplete="off"
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
          error={fieldError(make.error, 'signing_secret')}
        />
      )}
      <TextInput
        label="Works until"
        description="For ever, when left empty."
        type="datetime-local"
        value={end}
        onChange={(event) => setEnd(event.currentTarget.value)}
        error={fieldError(make.error, 'expires_at')}
      />
    </FormDialog>
  );
}
