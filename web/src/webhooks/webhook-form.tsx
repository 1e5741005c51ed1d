import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type WebhookDetail, webhooksApi } from '../../../src/webhooks/api-contract.ts';
import { send } from '../api/call.ts';
import { otherError } from '../kit/field-error.ts';
import { showToast } from '../kit/toast.ts';
import { useFields } from '../kit/use-fields.ts';
import { t } from '../language/t.ts';
import { EndField, FormEnd, NameField, SecretField } from './common-fields.tsx';
import { changesOf, valuesOf, type WebhookValues } from './form-values.ts';
import { integrationsQuery } from './queries.ts';
import { SettingsFields } from './settings-fields.tsx';

const FIELDS = ['name', 'signing_secret', 'expires_at', 'settings'];

/** The settings of a webhook. */
export function WebhookForm({ webhook }: { webhook: WebhookDetail }) {
  const stored = valuesOf(webhook);
  const { values, set, saved, undo } = useFields(stored);
  const client = useQueryClient();
  const integration = useQuery(integrationsQuery).data?.integrations.find(
    ({ name }) => name === webhook.type,
  );
  const changes = changesOf(stored, values);
  const changed = Object.keys(changes).length > 0;
  const save = useMutation({
    mutationFn: (_: WebhookValues) => send(webhooksApi.change, { params: { id: webhook.id }, body: changes }),
    onSuccess: (now, sent) => {
      client.setQueryData(['webhooks', 'one', webhook.id], now);
      saved(sent);
      void client.invalidateQueries({ queryKey: ['webhooks', 'list'] });
      showToast(t('Saved. It applies from the next call.'));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(values);
  };
  return (
    <section className="stack" aria-label={t('Settings')}>
      <h2>{t('Settings')}</h2>
      <form className="card pad stack" style={{ gap: 16 }} onSubmit={submit}>
        <NameField value={values.name} change={(name) => set({ name })} error={save.error} />
        {integration?.signs && (
          <SecretField
            value={values.secret}
            change={(secret) => set({ secret })}
            error={save.error}
            hidden={webhook.secrets_hidden && webhook.signed}
          />
        )}
        <EndField value={values.end} change={(end) => set({ end })} error={save.error} />
        {webhook.type !== 'custom' && (
          <SettingsFields
            values={values}
            set={set}
            error={save.error}
            filters={integration?.filters ?? false}
            topics={webhook.type === 'cloudwatch'}
          />
        )}
        <FormEnd
          error={otherError(save.error, FIELDS)}
          ready={changed && values.name.trim() !== ''}
          busy={save.isPending}
          undo={changed ? undo : null}
        />
      </form>
    </section>
  );
}
