import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { signInApi, type WaysIn } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { t } from '../language/t.ts';
import { CodeForm } from './code-form.tsx';
import { EmptyHere } from './empty-here.tsx';
import { Forgotten } from './forgotten.tsx';
import { forgetToken, takeToken } from './fragment.ts';
import { Or, Outside, Refused } from './outside.tsx';
import { signInByPasskey } from './passkey.ts';
import { PasswordField } from './password-field.tsx';
import { useArrival, waysInQuery } from './ways-in.ts';

/** The sign-in form, with links for people who cannot sign in. */
export function SignInView() {
  const { data: ways, error } = useQuery(waysInQuery);
  // A sign-in link of a person with an authenticator app leads here with a ticket for the second step.
  const [ticket, setTicket] = useState<string | null>(ticketOfLink);
  const [forgotten, setForgotten] = useState(false);
  const leave = () => {
    forgetToken();
    setTicket(null);
  };
  if (error) return <Unreachable error={error} />;
  if (!ways) return null;
  if (ways.empty) return <EmptyHere />;
  if (ticket) return <CodeForm ticket={ticket} passkey={ways.passkey} back={leave} then={forgetToken} />;
  if (forgotten) return <Forgotten reset={ways.reset} back={() => setForgotten(false)} />;
  return <Ways ways={ways} needsCode={setTicket} forgot={() => setForgotten(true)} />;
}

function ticketOfLink(): string | null {
  return window.location.pathname === '/sign-in' ? takeToken() || null : null;
}

function Unreachable({ error }: { error: Error }) {
  return (
    <Outside title={t('Tocsin does not answer')} lead={error.message}>
      <Button onClick={() => window.location.reload()}>{t('Try again')}</Button>
    </Outside>
  );
}

function Ways({
  ways,
  needsCode,
  forgot,
}: {
  ways: WaysIn;
  needsCode: (ticket: string) => void;
  forgot: () => void;
}) {
  const arrive = useArrival();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const signIn = useMutation({
    mutationFn: () => send(signInApi.password, { body: { email, password } }),
    onSuccess: (answer) => (answer.signed_in ? arrive() : needsCode(answer.ticket)),
  });
  const passkey = useMutation({ mutationFn: signInByPasskey, onSuccess: arrive });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  const refused = signIn.error ?? passkey.error ?? oidcProblem();
  return (
    <Outside title={t('Sign in')}>
      <form className="stack" style={{ gap: 16 }} onSubmit={submit}>
        <TextInput
          ref={field}
          label={t('Email')}
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          withAsterisk={false}
          size="md"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField value={password} change={setPassword} />
        <Refused message={refused?.message} />
        <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
          {t('Sign in')}
        </Button>
      </form>
      {(ways.passkey || ways.oidc) && <Or />}
      {ways.passkey && (
        <Button variant="default" size="md" loading={passkey.isPending} onClick={() => passkey.mutate()}>
          {t('Use a passkey')}
        </Button>
      )}
      {ways.oidc && (
        <Button variant="default" size="md" component="a" href="/oidc/start">
          {t('Continue with {provider}', { provider: ways.oidc })}
        </Button>
      )}
      <div>
        <Button variant="transparent" color="var(--muted)" px={0} onClick={forgot}>
          {t('No password, or forgot it?')}
        </Button>
      </div>
    </Outside>
  );
}

/** Messages for the error codes in the URL to which the identity provider's callback redirects. */
const OIDC_PROBLEMS: Record<string, string> = {
  unknown: t(
    'Nobody here has the email address that your identity provider sent. Ask an admin for an invitation.',
  ),
  unverified: t(
    'Your identity provider has not verified your email address. Have it verified, then try again.',
  ),
  domain: t('People of your email domain cannot sign in this way. Ask an admin for an invitation.'),
  second: t(
    'Another identity signed in with your email address before, so this one was refused. Ask an admin to resolve it under Problems.',
  ),
  failed: t(
    'Your identity provider refused the sign-in, or took too long. Try again, or sign in another way.',
  ),
};

function oidcProblem(): Error | null {
  const code = new URLSearchParams(window.location.search).get('sign-in');
  const message = code ? OIDC_PROBLEMS[code] : undefined;
  return message ? new Error(message) : null;
}
