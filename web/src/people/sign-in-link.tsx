import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SignInLinkMade } from '../../../src/sessions/invitation-contract.ts';
import { call } from '../api/call.ts';
import { tellFailure } from '../kit/tell.ts';
import { LinkMade } from './link-made.tsx';

/** Lets somebody in who is here already: whom a file has brought, or whose password or phone is gone. */
export function SignInLinkButton({ person }: { person: { id: string; name: string } }) {
  const make = useMutation({
    mutationFn: () => call<SignInLinkMade>('POST', `/api/people/${person.id}/sign-in-link`),
    onError: tellFailure,
  });
  return (
    <>
      <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
        Make a sign-in link
      </Button>
      {make.data && (
        <LinkMade
          title={`A link for ${person.name}`}
          words={`${make.data.emailed ? 'It is on its way by mail, too. ' : ''}They sign in with it once, within a day.`}
          url={make.data.url}
          close={() => make.reset()}
        />
      )}
    </>
  );
}
