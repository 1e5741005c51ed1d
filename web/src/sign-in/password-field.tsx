import { t } from '../language/t.ts';
import '@mantine/core/styles/PasswordInput.css';
import { PasswordInput } from '@mantine/core';

type Props = {
  value: string;
  change: (value: string) => void;
  error?: string | null;
  label?: string;
  autoFocus?: boolean;
};

export function PasswordField({ value, change, error, label = t('Password'), autoFocus = false }: Props) {
  return (
    <PasswordInput
      label={label}
      autoComplete="current-password"
      name="password"
      required
      withAsterisk={false}
      size="md"
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      error={error}
      data-autofocus={autoFocus || undefined}
      visibilityToggleButtonProps={{ 'aria-label': t('Show the password') }}
    />
  );
}

/** A field for a new password; password managers offer to generate one. */
export function NewPasswordField({ value, change, error, label = t('Password') }: Props) {
  return (
    <PasswordInput
      label={label}
      description={t('At least 10 characters. A few unrelated words are easy to remember.')}
      autoComplete="new-password"
      name="new-password"
      required
      withAsterisk={false}
      size="md"
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': t('Show the password') }}
    />
  );
}
