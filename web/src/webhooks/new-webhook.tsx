import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { TeamSummary } from '../../../src/people/team-api-contract.ts';
import { webhooksApi } from '../../../src/webhooks/api-contract.ts';
import { send } from '../api/call.ts';
import { otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { t } from '../language/t.ts';
import { EndField, NameField, SecretField, TypeField } from './common-fields.tsx';
import { inputInstant } from './form-values.ts';
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
      send(webhooksApi.create, {
        body: {
          ...{ team: team.slug, type: type ?? '', name: label },
          ...(signs && secret ? { signing_secret: secret } : {}),
          ...(end ? { expires_at: inputInstant(end) ?? end } : {}),
        },
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
      title={t('New webhook of {team}', { team: team.name })}
      close={close}
      send={() => make.mutate()}
      go={t('Create the webhook')}
      ready={type !== null && label.trim() !== ''}
      busy={make.isPending}
      error={otherError(make.error, FIELDS)}
    >
      <TypeField
        types={integrations.map((one) => one.name)}
        value={type}
        change={setType}
        error={make.error}
      />
      <NameField value={label} change={setName} error={make.error} example={t('Deploy script')} />
      {signs && <SecretField value={secret} change={setSecret} error={make.error} />}
      <EndField value={end} change={setEnd} error={make.error} />
    </FormDialog>
  );
}
