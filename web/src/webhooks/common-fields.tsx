import { byName, t } from '../language/t.ts';
import '@mantine/core/styles/PasswordInput.css';
import { Button, PasswordInput, Select, TextInput } from '@mantine/core';
import { fieldError } from '../kit/field-error.ts';
import { integrationName } from './integration-names.ts';

/** Fields that the forms of webhooks and of page sources have in common. */

type Field<Value> = { value: Value; change: (value: Value) => void; error: Error | null };

/** The tool that calls. */
export function TypeField({ types, value, change, error }: Field<string | null> & { types: string[] }) {
  return (
    <Select
      label={t('Tool')}
      placeholder={t('Name of the tool')}
      description={t('Anything that can send JSON is Custom.')}
      required
      searchable
      data={types
        .map((type) => ({ value: type, label: integrationName(type) }))
        .toSorted((a, b) => byName(a.label, b.label))}
      nothingFoundMessage={t('No such tool. Choose Custom for anything that can send JSON.')}
      value={value}
      onChange={change}
      error={fieldError(error, 'type')}
      openOnFocus={false}
      data-autofocus
    />
  );
}

export function NameField({
  value,
  change,
  error,
  example,
}: Field<string> & { example?: string | undefined }) {
  return (
    <TextInput
      label={t('Name')}
      placeholder={example ?? ''}
      required
      maxLength={200}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      error={fieldError(error, 'name')}
    />
  );
}

export function SecretField({ value, change, error, hidden = false }: Field<string> & { hidden?: boolean }) {
  return (
    <PasswordInput
      label={t('Signing secret')}
      description={
        hidden && value === ''
          ? t('A secret is set, and hidden until you show the URL. Enter another to replace it.')
          : t('The same as in the tool. If it is set, only calls signed with it are accepted.')
      }
      autoComplete="off"
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      error={fieldError(error, 'signing_secret')}
    />
  );
}

/** In the format of a `datetime-local` input, in the viewer's zone; empty for no end. */
export function EndField({ value, change, error }: Field<string>) {
  return (
    <TextInput
      label={t('Works until')}
      description={t('Leave empty for no end.')}
      type="datetime-local"
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      error={fieldError(error, 'expires_at')}
    />
  );
}

/**
 * The end of a form: errors that concern the whole form, and its buttons. `undo`: reverts unsaved changes; null without
 * any.
 */
export function FormEnd({
  error,
  ready,
  busy,
  undo,
}: {
  error: string | null;
  ready: boolean;
  busy: boolean;
  undo: (() => void) | null;
}) {
  return (
    <>
      {error && (
        <p className="ink-alarm" role="alert">
          {error}
        </p>
      )}
      <div className="row">
        <Button type="submit" variant="default" disabled={!ready} loading={busy}>
          {t('Save')}
        </Button>
        {undo && (
          <Button variant="subtle" color="gray" onClick={undo}>
            {t('Undo the changes')}
          </Button>
        )}
      </div>
    </>
  );
}
