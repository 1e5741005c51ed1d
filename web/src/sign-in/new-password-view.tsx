import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { signInApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { t } from '../language/t.ts';
import { CodeForm } from './code-form.tsx';
import { forgetToken, takeToken } from './fragment.ts';
import { Outside, Refused } from './outside.tsx';
import { NewPasswordField } from './password-field.tsx';
import { useArrival, waysInQuery } from './ways-in.ts';

/** The target of the link in a password reset email. */
export function NewPasswordView() {
  const [token] = useState(takeToken);
  const [password, setPassword] = useState('');
  const [ticket, setTicket] = useState<string | null>(null);
  const ways = useQuery(waysInQuery).data;
  const arrive = useArrival();
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: () => send(signInApi.newPassword, { body: { token, password } }),
    onSuccess: async (answer) => {
      forgetToken();
      if (!answer.signed_in) return setTicket(answer.ticket);
      await arrive();
      await navigate({ to: '/' });
    },
  });
  const home = () => void navigate({ to: '/' });
  if (ticket) return <CodeForm ticket={ticket} passkey={ways?.passkey ?? false} back={home} then={home} />;
  return (
    <Outside
      title={t('A new password')}
      lead={t('It replaces the old one, and signs you out everywhere else.')}
    >
      <form
        className="stack"
        style={{ gap: 16 }}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <NewPasswordField
          value={password}
          change={setPassword}
          label={t('New password')}
          error={fieldError(save.error, 'password')}
        />
        <Refused message={otherError(save.error, ['password'])} />
        <Button type="submit" size="md" loading={save.isPending}>
          {t('Save it and sign in')}
        </Button>
      </form>
    </Outside>
  );
}
