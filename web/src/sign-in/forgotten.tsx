import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { signInApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { CopyField } from '../kit/copy.tsx';
import { t } from '../language/t.ts';
import { Outside, Refused } from './outside.tsx';

const COMMAND = 'npm run -s tocsin -- sign-in-link you@example.com';

/** Ways to get a new password: by email where that is set up, otherwise by a link from an admin or the operator. */
export function Forgotten({ reset, back }: { reset: boolean; back: () => void }) {
  const [email, setEmail] = useState('');
  const mail = useMutation({ mutationFn: () => send(signInApi.forgotten, { body: { email } }) });
  const lead = reset
    ? t('We send a link to your address, with which you choose a new password.')
    : t(
        'An admin of your organization can create a one-time link for you under People. It works once, within a day.',
      );
  return (
    <Outside wide title={t('Sign in without a password')} lead={lead}>
      {reset && !mail.isSuccess && (
        <form
          className="stack"
          style={{ gap: 16 }}
          onSubmit={(event) => {
            event.preventDefault();
            mail.mutate();
          }}
        >
          <TextInput
            label={t('Email')}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            size="md"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Refused message={mail.error?.message} />
          <Button type="submit" size="md" loading={mail.isPending}>
            {t('Send the link')}
          </Button>
        </form>
      )}
      {mail.isSuccess && (
        <p role="status" className="card pad">
          {t(
            'If there is an account with the address {email}, we have sent a link to it. It works for an hour.',
            { email },
          )}
        </p>
      )}
      <p className="muted">
        {reset
          ? t(
              'No email? An admin can also create a one-time link for you. The operator of this installation can print one with:',
            )
          : t('The operator of this installation can create one with:')}
      </p>
      <CopyField text={COMMAND} name={t('Copy the command')} />
      <div>
        <Button variant="transparent" color="var(--muted)" px={0} onClick={back}>
          {t('Back')}
        </Button>
      </div>
    </Outside>
  );
}
