import { Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { sessionApi } from '../../../src/sessions/api-contract.ts';
import { Refusal, send } from '../api/call.ts';
import { showFailure } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { forgetKept } from '../offline/keep.ts';
import { noteSignOut } from './last-sign-out.ts';

export function useSignOut() {
  return useMutation({
    mutationFn: () => {
      // Before the session ends, which other tabs notice at once.
      noteSignOut();
      return send(sessionApi.end);
    },
    onSuccess: leave,
    // The session may have ended already, while something that was entered is kept.
    onError: (error) => (error instanceof Refusal && error.status === 401 ? leave() : showFailure(error)),
  });
}

/** A full page load, so that no data of the person remains in memory. */
async function leave(): Promise<void> {
  await forgetKept();
  window.location.assign('/');
}

export function SignOutItem() {
  const signOut = useSignOut();
  return <Menu.Item onClick={() => signOut.mutate()}>{t('Sign out')}</Menu.Item>;
}
