import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { languageOf, locale } from '../../../src/language/contract.ts';
import { type InvitationGreeting, invitationsApi } from '../../../src/sessions/invitation-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { deviceZone } from '../kit/time-formats.ts';
import { listed, t } from '../language/t.ts';
import { takeToken } from './fragment.ts';
import { NewCredentials } from './new-credentials.tsx';
import { Or, Outside, Refused } from './outside.tsx';
import { useNewAccount } from './use-new-account.ts';
import { waysInQuery } from './ways-in.ts';
import { ZoneField } from './zone-field.tsx';

/** The target of an invitation link: creates the account of the invited person. */
export function InvitationView() {
  const [token] = useState(takeToken);
  const { data: invitation, error } = useQuery({
    queryKey: ['session', 'invitation', token],
    queryFn: () => send(invitationsApi.show, { body: { token } }),
    enabled: token !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error || token === '')
    return (
      <Outside
        title={t('This invitation has ended')}
        lead={error?.message ?? t('Open the link of your invitation once more.')}
      >
        <Button component="a" href="/" size="md">
          {t('Sign in')}
        </Button>
      </Outside>
    );
  if (!invitation) return null;
  return <Accept token={token} invitation={invitation} />;
}

function Accept({ token, invitation }: { token: string; invitation: InvitationGreeting }) {
  const [name, setName] = useState(invitation.name);
  const [zone, setZone] = useState(deviceZone);
  const [password, setPassword] = useState('');
  const ways = useQuery(waysInQuery).data;
  const account = { token, name, time_zone: zone, language: languageOf([locale()]) };
  const accept = useNewAccount(
    (secret) => send(invitationsApi.accept, { body: { ...account, ...secret } }),
    password,
    '/',
  );
  return (
    <Outside
      title={t('Join {organization}', { organization: invitation.organization })}
      lead={lead(invitation)}
    >
      <form
        className="stack"
        style={{ gap: 16 }}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          accept.mutate('password');
        }}
      >
        <TextInput
          label={t('Email')}
          size="md"
          value={invitation.email}
          readOnly
          autoComplete="username"
          variant="unstyled"
        />
        <TextInput
          label={t('Your name')}
          size="md"
          autoComplete="name"
          required
          withAsterisk={false}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldError(accept.error, 'name')}
        />
        <ZoneField value={zone} change={setZone} />
        <Refused message={otherError(accept.error, ['name', 'password', 'time_zone'])} />
        <NewCredentials
          password={password}
          change={setPassword}
          error={accept.error}
          busy={accept.isPending ? accept.variables : null}
          submit={t('Join')}
          passkey={ways?.passkey ? () => accept.mutate('passkey') : null}
        />
      </form>
      {ways?.oidc && (
        <>
          <Or />
          <Button variant="default" size="md" component="a" href="/oidc/start">
            {t('Continue with {provider}', { provider: ways.oidc })}
          </Button>
        </>
      )}
    </Outside>
  );
}

function lead({ invited_by, role, teams }: InvitationGreeting): string {
  return t(
    '{from, select, somebody {{who} invites you} other {You are invited}}{teams, plural, =0 {} other { to {names}}}{role, select, owner {, as owner} admin {, as admin} other {}}.',
    {
      from: invited_by ? 'somebody' : 'nobody',
      who: invited_by ?? '',
      teams: teams.length,
      names: listed(teams),
      role,
    },
  );
}
