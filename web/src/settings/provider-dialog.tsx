import { t } from '../language/t.ts';
import '@mantine/core/styles/PasswordInput.css';
import { Button, PasswordInput, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  ProviderCallback,
  ProviderField,
} from '../../../src/notifications/channels/provider-description-contract.ts';
import { PROVIDER } from '../../../src/notifications/channels/providers-contract.ts';
import { type Provider, providersApi } from '../../../src/notifications/providers-api-contract.ts';
import { Refusal, send } from '../api/call.ts';
import { anythingChanged } from '../api/changes.ts';
import { CopyField } from '../kit/copy.tsx';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { showToast } from '../kit/toast.ts';
import { formValues } from './provider-values.ts';

/** Sets up a provider or changes how it is set up, for example to rotate a secret. `base`: the public address of the service. */
export function ProviderDialog({
  provider,
  base,
  close,
}: {
  provider: Provider;
  base: string;
  close: () => void;
}) {
  const { name, secrets } = provider;
  const isNew = provider.set_by === null;
  const { words, fields, callbacks } = PROVIDER[name];
  const client = useQueryClient();
  const [values, setValues] = useState(() => formValues(provider));
  const save = useMutation({
    mutationFn: (check: boolean) => send(providersApi.change, { params: { name }, body: { values, check } }),
    onSuccess: (_, checked) => {
      close();
      showToast(
        checked
          ? t('{provider} is set up. Send yourself a test to see that it arrives.', { provider: words.name })
          : t('{provider} is saved without a check.', { provider: words.name }),
      );
      anythingChanged(client);
    },
  });
  const { error } = save;
  const refused = error instanceof Refusal && error.details.some(({ field }) => field === 'provider');
  const steps = callbacks(base);
  return (
    <FormDialog
      title={words.name}
      close={close}
      send={() => save.mutate(true)}
      go={t('Check and save')}
      busy={save.isPending}
      error={otherError(
        error,
        Object.keys(fields).map((field) => `values.${field}`),
      )}
      anyway={
        refused && (
          <Button variant="default" onClick={() => save.mutate(false)}>
            {t('Save anyway')}
          </Button>
        )
      }
    >
      <p className="muted">{words.explained}</p>
      {isNew && <Callbacks of={steps.filter(({ first }) => first)} />}
      {Object.entries(fields).map(([field, shape], at) => (
        <Field
          key={field}
          shape={shape}
          isStored={secrets.includes(field)}
          value={values[field] ?? ''}
          change={(value) => setValues((before) => ({ ...before, [field]: value }))}
          error={fieldError(error, `values.${field}`)}
          isFirst={at === 0 && !(isNew && steps.some(({ first }) => first))}
        />
      ))}
      {isNew && <Callbacks of={steps.filter(({ first }) => !first)} />}
      {!isNew && steps.length > 0 && (
        <details>
          <summary>{t('What is entered at {provider}', { provider: words.name })}</summary>
          <Callbacks of={steps} />
        </details>
      )}
      {steps.length > 0 && !base.startsWith('https://') && (
        <p className="ink-watch">
          {t(
            '{provider} has to reach {address} from the internet. If it cannot, set PUBLIC_URL to an https:// address at which it can.',
            { provider: words.name, address: base },
          )}
        </p>
      )}
    </FormDialog>
  );
}

function Callbacks({ of }: { of: readonly ProviderCallback[] }) {
  return of.map(({ where, value }) => (
    <div key={where} className="stack tight">
      <p>{where}</p>
      <CopyField text={value} name={`${t('Copy')}: ${where}`} />
    </div>
  ));
}

function Field({
  shape: { label, hint, placeholder, required, secret, choices, keyboard },
  isStored,
  value,
  change,
  error,
  isFirst,
}: {
  shape: ProviderField;
  /** A secret is stored, and an empty field keeps it. */
  isStored: boolean;
  value: string;
  change: (value: string) => void;
  error: string | null;
  isFirst: boolean;
}) {
  const stored = isStored && t('Stored; leave it empty to keep it');
  const common = {
    label,
    description: [hint, stored].filter(Boolean).join(' · '),
    placeholder,
    required: required && !isStored,
    error,
    'data-autofocus': isFirst || undefined,
  };
  if (choices)
    return (
      <Select
        {...common}
        data={[...choices]}
        value={value}
        onChange={(chosen) => chosen && change(chosen)}
        allowDeselect={false}
        openOnFocus={false}
      />
    );
  if (secret)
    return (
      <PasswordInput
        {...common}
        autoComplete="new-password"
        value={value}
        onChange={(event) => change(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': t('Show it') }}
      />
    );
  return (
    <TextInput
      {...common}
      inputMode={keyboard}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
