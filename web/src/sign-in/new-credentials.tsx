import { Button } from '@mantine/core';
import { fieldError } from '../kit/field-error.ts';
import { t } from '../language/t.ts';
import { Or } from './outside.tsx';
import { NewPasswordField } from './password-field.tsx';

/** Chooses how a new person will sign in: by a password, or by a passkey where the browser supports one. */
export function NewCredentials({
  password,
  change,
  error,
  busy,
  submit,
  passkey,
}: {
  password: string;
  change: (password: string) => void;
  error: Error | null;
  busy: 'password' | 'passkey' | null;
  /** The label of the button. */
  submit: string;
  /** Null when passkeys are unavailable. */
  passkey: (() => void) | null;
}) {
  return (
    <>
      <NewPasswordField value={password} change={change} error={fieldError(error, 'password')} />
      <Button type="submit" size="md" loading={busy === 'password'} disabled={busy === 'passkey'}>
        {submit}
      </Button>
      {passkey && (
        <>
          <Or />
          <Button variant="default" size="md" loading={busy === 'passkey'} onClick={passkey}>
            {t('Use a passkey instead')}
          </Button>
        </>
      )}
    </>
  );
}
