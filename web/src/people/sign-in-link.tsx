import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { signInHelpApi } from '../../../src/sessions/invitation-contract.ts';
import { send } from '../api/call.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { waysInQuery } from '../sign-in/ways-in.ts';
import { LinkMade } from './link-made.tsx';

/** Makes a sign-in link for an existing person, who came from an operator's file or lost a password or phone. */
export function SignInLinkButton({ person }: { person: { id: string; name: string } }) {
  const make = useMutation({
    mutationFn: () => send(signInHelpApi.link, { params: { id: person.id } }),
    onError: showFailure,
  });
  return (
    <>
      <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
        {t('Create a sign-in link')}
      </Button>
      {make.data && (
        <LinkMade
          title={t('Link for {name}', { name: person.name })}
          words={
            make.data.emailed
              ? t('It is also on its way by email. It signs them in once, within a day.')
              : t('It signs them in once, within a day.')
          }
          url={make.data.url}
          close={() => make.reset()}
        />
      )}
    </>
  );
}

/** For a person who has a new account at the identity provider, which is listed as a problem. */
export function ForgetIdentityButton({ person }: { person: { id: string; name: string } }) {
  const { data: ways } = useQuery(waysInQuery);
  const forget = useMutation({
    mutationFn: () => send(signInHelpApi.unlink, { params: { id: person.id } }),
    onSuccess: () =>
      showToast(
        t('{name} is linked again when they next sign in with the identity provider.', { name: person.name }),
      ),
    onError: showFailure,
  });
  if (!ways?.oidc) return null;
  return (
    <Button variant="default" loading={forget.isPending} onClick={() => forget.mutate()}>
      {t('Forget identity provider')}
    </Button>
  );
}
