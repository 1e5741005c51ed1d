import { Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { sessionApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { showFailure } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { forgetKept } from '../offline/keep.ts';

export function useSignOut() {
  return useMutation({
    mutationFn: () => send(sessionApi.end),
    // A full page load, so that no data of the person remains in memory.
    onSuccess: async () => {
      await forgetKept();
      window.location.assign('/');
    },
    onError: showFailure,
  });
}

export function SignOutItem() {
  const signOut = useSignOut();
  return <Menu.Item onClick={() => signOut.mutate()}>{t('Sign out')}</Menu.Item>;
}
