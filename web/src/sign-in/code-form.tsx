import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { signInApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { t } from '../language/t.ts';
import { Or, Outside, Refused } from './outside.tsx';
import { signInByPasskey } from './passkey.ts';
import { useArrival } from './ways-in.ts';

/** The second step after the password: a code of the authenticator app, or a recovery code. */
export function CodeForm({
  ticket,
  passkey,
  back,
  then,
}: {
  ticket: string;
  passkey: boolean;
  back: () => void;
  then?: () => void;
}) {
  const arriveHere = useArrival();
  const arrive = async () => {
    await arriveHere();
    then?.();
  };
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const signIn = useMutation({
    mutationFn: (given: string) => send(signInApi.code, { body: { ticket, code: given } }),
    onSuccess: arrive,
  });
  const byPasskey = useMutation({ mutationFn: signInByPasskey, onSuccess: arrive });
  const type = (given: string) => {
    setCode(given);
    if (/^\d{6}$/.test(given.replace(/\s/g, '')) && !signIn.isPending) signIn.mutate(given);
  };
  return (
    <Outside
      title={t('One more step')}
      lead={t('The code that your authenticator app shows, or a recovery code.')}
    >
      <form
        className="stack"
        style={{ gap: 16 }}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          signIn.mutate(code);
        }}
      >
        <TextInput
          ref={field}
          label={t('Code')}
          autoComplete="one-time-code"
          size="md"
          styles={{ input: { fontFamily: 'var(--mono)', letterSpacing: '0.1em' } }}
          value={code}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <Refused message={(signIn.error ?? byPasskey.error)?.message} />
        <Button type="submit" size="md" loading={signIn.isPending} disabled={code.trim() === ''}>
          {t('Sign in')}
        </Button>
      </form>
      {passkey && (
        <>
          <Or />
          <Button
            variant="default"
            size="md"
            loading={byPasskey.isPending}
            onClick={() => byPasskey.mutate()}
          >
            {t('Use a passkey')}
          </Button>
        </>
      )}
      <div>
        <Button variant="transparent" color="var(--muted)" px={0} onClick={back}>
          {t('Back')}
        </Button>
      </div>
    </Outside>
  );
}
