import '@mantine/core/styles/PasswordInput.css';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { WebhookDetail } from '../../../src/webhooks/api-contract.ts';
import { call } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { showToast } from '../kit/toast.ts';
import { changesOf, valuesOf, type WebhookValues } from './form-values.ts';
import { integrationsQuery } from './queries.ts';
import { SettingsFields } from './settings-fields.tsx';

const FIELDS = ['name', 'signing_secret', 'expires_at', 'settings'];

/** The settings of a webhook. */
export function WebhookForm({ webhook }: { webhook: WebhookDetail }) {
  const before = valuesOf(webhook);
  const [values, setValues] = useState<WebhookValues>(before);
  const client = useQueryClient();
  const integration = useQuery(integrationsQuery).data?.integrations.find(
    ({ name }) => name === webhook.type,
  );
  const changes = changesOf(before, values);
  const changed = Object.keys(changes).length > 0;
  const save = useMutation({
    mutationFn: () =>
      call<WebhookDetail>('PATCH', `/api/webhooks/${encodeURIComponent(webhook.id)}`, changes),
    onSuccess: (saved) => {
      client.setQueryData(['webhooks', 'one', webhook.id], saved);
      setValues(valuesOf(saved));
      void client.invalidateQueries({ queryKey: ['webhooks', 'list'] });
      showToast('Saved. It counts for the next call.');
    },
  });
  const set = (next: Partial<WebhookValues>) => setValues({ ...values, ...next });
  const send = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <section className="stack" aria-label="Settings">
      <h2>Settings</h2>
      <form className="card pad stack" style={{ gap: 16 }} onSubmit={send}>
        <TextInput
          label="Label"
          required
          maxLength={200}
          value={values.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={fieldError(save.error, 'name')}
        />
        {integration?.signs && (
          <PasswordInput
            label="Signing secret"
            description={
              webhook.secrets_hidden && webhook.signed && values.secret === ''
                ? 'One is set, and hidden until you show the URL. Type another to replace it.'
                : values.secret
                  ? 'Only calls that are signed with it are believed. Empty it, and every call is.'
                  : 'The same as the tool has. With one, only calls that are signed with it are believed.'
            }
            autoComplete="off"
            value={values.secret}
            onChange={(event) => set({ secret: event.currentTarget.value })}
            error={fieldError(save.error, 'signing_secret')}
          />
        )}
        <TextInput
          label="Works until"
          description="For ever, when left empty."
          type="datetime-local"
          value={values.end}
          onChange={(event) => set({ end: event.currentTarget.value })}
          error={fieldError(save.error, 'expires_at')}
        />
        {webhook.type !== 'custom' && (
          <SettingsFields
            values={values}
            set={set}
            error={save.error}
            filters={integration?.filters ?? false}
            topics={webhook.type === 'cloudwatch'}
          />
        )}
        {otherError(save.error, FIELDS) && (
          <p className="ink-alarm" role="alert">
            {otherError(save.error, FIELDS)}
          </p>
        )}
        <div className="row">
          <Button
            type="submit"
            variant="default"
            disabled={!changed || !values.name.trim()}
            loading={save.isPending}
          >
            Save
          </Button>
          {changed && (
            <Button variant="subtle" color="gray" onClick={() => setValues(before)}>
              Undo the changes
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}
